-- Phase 1: thread_invites
DELETE FROM thread_invites
WHERE thread_id NOT IN (SELECT id FROM scheduling_threads);

-- Phase 2: scheduling_slots
DELETE FROM scheduling_slots
WHERE thread_id NOT IN (SELECT id FROM scheduling_threads);

-- Phase 3: thread_attendance_rules
DELETE FROM thread_attendance_rules
WHERE thread_id NOT IN (SELECT id FROM scheduling_threads);

-- Phase 4: thread_selections
DELETE FROM thread_selections
WHERE thread_id NOT IN (SELECT id FROM scheduling_threads);

-- Phase 5: thread_finalize
DELETE FROM thread_finalize
WHERE thread_id NOT IN (SELECT id FROM scheduling_threads);

-- 結果確認
SELECT
  (SELECT COUNT(*) FROM thread_invites WHERE thread_id NOT IN (SELECT id FROM scheduling_threads)) AS orphan_invites,
  (SELECT COUNT(*) FROM scheduling_slots WHERE thread_id NOT IN (SELECT id FROM scheduling_threads)) AS orphan_slots,
  (SELECT COUNT(*) FROM thread_attendance_rules WHERE thread_id NOT IN (SELECT id FROM scheduling_threads)) AS orphan_rules,
  (SELECT COUNT(*) FROM thread_selections WHERE thread_id NOT IN (SELECT id FROM scheduling_threads)) AS orphan_selections,
  (SELECT COUNT(*) FROM thread_finalize WHERE thread_id NOT IN (SELECT id FROM scheduling_threads)) AS orphan_finalizes;
