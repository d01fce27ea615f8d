INSERT INTO scheduling_threads
  (id, organizer_user_id, title, description, status, mode, created_at, updated_at)
  VALUES (?, ?, ?, ?, 'active', 'one_on_one', ?, ?);

INSERT INTO thread_attendance_rules (thread_id, rule_json, finalize_policy)
  VALUES (?, ?, ?);

INSERT INTO scheduling_slots (slot_id, thread_id, start_at, end_at, timezone, label)
  VALUES (?, ?, ?, ?, ?, ?);

INSERT OR IGNORE INTO thread_attendance_rules (thread_id, rule_json, finalize_policy)
  VALUES (?, ?, ?);
