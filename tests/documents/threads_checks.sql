SELECT
  id,
  organizer_user_id,
  title,
  description,
  status,
  mode,
  created_at,
  updated_at
FROM scheduling_threads
WHERE id = '<threadId>';

SELECT
  thread_id,
  version,
  rule_json,
  finalize_policy,
  created_at,
  updated_at
FROM thread_attendance_rules
WHERE thread_id = '<threadId>';

SELECT
  slot_id,
  thread_id,
  start_at,
  end_at,
  timezone,
  label,
  created_at
FROM scheduling_slots
WHERE thread_id = '<threadId>'
ORDER BY start_at ASC;

SELECT
  id,
  token,
  email,
  candidate_name,
  candidate_reason,
  invitee_key,
  status,
  expires_at,
  accepted_at,
  created_at
FROM thread_invites
WHERE thread_id = '<threadId>'
ORDER BY created_at DESC;

SELECT
  st.id AS thread_id,
  st.title,
  st.status AS thread_status,
  tar.rule_json,
  tar.finalize_policy,
  COUNT(DISTINCT ss.slot_id) AS slot_count,
  COUNT(DISTINCT ti.id) AS invite_count,
  COUNT(DISTINCT CASE WHEN ti.status = 'accepted' THEN ti.id END) AS accepted_count,
  COUNT(DISTINCT CASE WHEN ti.status = 'pending' THEN ti.id END) AS pending_count
FROM scheduling_threads st
LEFT JOIN thread_attendance_rules tar ON tar.thread_id = st.id
LEFT JOIN scheduling_slots ss ON ss.thread_id = st.id
LEFT JOIN thread_invites ti ON ti.thread_id = st.id
WHERE st.id = '<threadId>'
GROUP BY st.id, st.title, st.status, tar.rule_json, tar.finalize_policy;
