-- thread_id が scheduling_threads に存在しない invites
SELECT
  ti.id,
  ti.thread_id,
  ti.email,
  ti.status,
  ti.created_at
FROM thread_invites ti
LEFT JOIN scheduling_threads st ON st.id = ti.thread_id
WHERE st.id IS NULL
ORDER BY ti.created_at DESC;

DELETE FROM thread_invites
WHERE thread_id NOT IN (SELECT id FROM scheduling_threads);

SELECT
  ss.slot_id,
  ss.thread_id,
  ss.start_at,
  ss.created_at
FROM scheduling_slots ss
LEFT JOIN scheduling_threads st ON st.id = ss.thread_id
WHERE st.id IS NULL
ORDER BY ss.created_at DESC;

DELETE FROM scheduling_slots
WHERE thread_id NOT IN (SELECT id FROM scheduling_threads);

SELECT
  tar.thread_id,
  tar.rule_json,
  tar.created_at
FROM thread_attendance_rules tar
LEFT JOIN scheduling_threads st ON st.id = tar.thread_id
WHERE st.id IS NULL;

DELETE FROM thread_attendance_rules
WHERE thread_id NOT IN (SELECT id FROM scheduling_threads);
