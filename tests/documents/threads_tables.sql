CREATE TABLE scheduling_threads (
  id                  TEXT PRIMARY KEY,     -- UUID
  organizer_user_id   TEXT NOT NULL,        -- 主催者 user_id
  title               TEXT,                 -- スレッドタイトル
  description         TEXT,                 -- 説明
  status              TEXT DEFAULT 'draft', -- active|draft|cancelled|finalized
  mode                TEXT DEFAULT 'one_on_one', -- 将来拡張用
  created_at          TEXT NOT NULL,        -- ISO8601
  updated_at          TEXT NOT NULL         -- ISO8601
);
CREATE TABLE thread_attendance_rules (
  thread_id         TEXT PRIMARY KEY,  -- scheduling_threads.id
  version           INTEGER NOT NULL DEFAULT 1,
  rule_json         TEXT NOT NULL,     -- JSON: AttendanceRuleV1
  finalize_policy   TEXT NOT NULL DEFAULT 'EARLIEST_VALID',
  created_at        TEXT NOT NULL,
  updated_at        TEXT NOT NULL,
  FOREIGN KEY (thread_id) REFERENCES scheduling_threads(id) ON DELETE CASCADE
);
CREATE TABLE scheduling_slots (
  slot_id     TEXT PRIMARY KEY,  -- UUID
  thread_id   TEXT NOT NULL,
  start_at    TEXT NOT NULL,     -- ISO8601 (2026-01-01T14:00:00+09:00)
  end_at      TEXT NOT NULL,     -- ISO8601
  timezone    TEXT NOT NULL,     -- IANA (Asia/Tokyo)
  label       TEXT,              -- オプション表示ラベル
  created_at  TEXT NOT NULL,
  FOREIGN KEY (thread_id) REFERENCES scheduling_threads(id) ON DELETE CASCADE
);

CREATE INDEX idx_scheduling_slots_thread_start
  ON scheduling_slots(thread_id, start_at);
CREATE TABLE thread_invites (
  id                TEXT PRIMARY KEY,  -- UUID
  thread_id         TEXT NOT NULL,
  token             TEXT NOT NULL UNIQUE,
  email             TEXT NOT NULL,
  candidate_name    TEXT NOT NULL,
  candidate_reason  TEXT,
  invitee_key       TEXT,              -- Phase B: e:<sha256_16(email)>
  status            TEXT NOT NULL DEFAULT 'pending',
  expires_at        TEXT NOT NULL,
  accepted_at       TEXT,
  created_at        TEXT NOT NULL,
  FOREIGN KEY (thread_id) REFERENCES scheduling_threads(id) ON DELETE CASCADE
);

CREATE INDEX idx_thread_invites_token ON thread_invites(token);
CREATE INDEX idx_thread_invites_thread ON thread_invites(thread_id);
CREATE TABLE thread_selections (
  selection_id      TEXT PRIMARY KEY,  -- UUID
  thread_id         TEXT NOT NULL,
  invitee_key       TEXT NOT NULL,     -- u:<user_id> | e:<sha256> | lm:<id>
  status            TEXT NOT NULL DEFAULT 'pending',
  selected_slot_id  TEXT,              -- scheduling_slots.slot_id
  responded_at      TEXT,
  created_at        TEXT NOT NULL,
  FOREIGN KEY (thread_id) REFERENCES scheduling_threads(id) ON DELETE CASCADE,
  FOREIGN KEY (selected_slot_id) REFERENCES scheduling_slots(slot_id) ON DELETE SET NULL,
  UNIQUE(thread_id, invitee_key)
);
CREATE TABLE thread_finalize (
  thread_id           TEXT PRIMARY KEY,  -- scheduling_threads.id
  selected_slot_id    TEXT NOT NULL,
  finalized_by_user_id TEXT,
  finalized_at        TEXT NOT NULL,
  reason              TEXT,
  auto_finalized      INTEGER DEFAULT 0,
  final_participants  TEXT,              -- JSON array of invitee_keys
  FOREIGN KEY (thread_id) REFERENCES scheduling_threads(id) ON DELETE CASCADE,
  FOREIGN KEY (selected_slot_id) REFERENCES scheduling_slots(slot_id) ON DELETE RESTRICT
);
