-- 1) 候補探索
SELECT id, line_user_id
FROM members
WHERE name_key = :normalized
LIMIT 2;               -- >1件なら AMBIGUOUS

-- 3) 紐付け（line_user_id が空の場合のみ）
-- 競合対策：WHERE で line_user_id IS NULL を明示
UPDATE members
   SET line_user_id = :userId,
       line_display_name = :displayName,    -- displayName があれば
       is_target = 1,
       updated_at = :now
 WHERE id = :memberId
   AND (line_user_id IS NULL);
-- 影響行数 = 1 → LINKED
-- 影響行数 = 0 → 既に埋まっている

SELECT line_user_id FROM members WHERE id=:memberId
