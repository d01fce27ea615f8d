-- イベント
CREATE TABLE events (
  id               INTEGER PRIMARY KEY AUTOINCREMENT,
  title            TEXT NOT NULL,
  body             TEXT,
  held_at          TEXT NOT NULL,           -- JST ISO8601
  deadline_at      TEXT,                    -- NULL（今回未使用）
  -- 添付（JPG）
  image_url        TEXT,                          -- オリジナルJPGの公開URL
  image_size       INTEGER,                       -- バイト
  image_preview_url TEXT,                         -- プレビューJPG（幅~1080px）
  image_preview_size INTEGER,
  -- 追加メモ欄
  extra_text_enabled      INTEGER NOT NULL DEFAULT 0,  -- 0/1
  extra_text_label        TEXT DEFAULT '備考',
  extra_text_attend_only  INTEGER NOT NULL DEFAULT 1,  -- 0/1
  created_by_admin INTEGER NOT NULL,
  created_at       TEXT NOT NULL,
  updated_at       TEXT NOT NULL,
  FOREIGN KEY(created_by_admin) REFERENCES admin_users(id) ON UPDATE CASCADE
);
CREATE INDEX idx_events_held_at ON events(held_at);

-- イベント対象者
CREATE TABLE event_targets (
  event_id         INTEGER NOT NULL,
  member_id        INTEGER NOT NULL,
  PRIMARY KEY (event_id, member_id),
  FOREIGN KEY(event_id) REFERENCES events(id) ON UPDATE CASCADE ON DELETE CASCADE,
  FOREIGN KEY(member_id) REFERENCES members(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX idx_evt_targets_member ON event_targets(member_id);

-- 出欠回答（追記型の履歴）
CREATE TABLE event_responses (
  id               INTEGER PRIMARY KEY AUTOINCREMENT,
  event_id         INTEGER NOT NULL,
  member_id        INTEGER NOT NULL,
  status           TEXT NOT NULL CHECK (status IN ('attend','absent')),
  extra_text       TEXT,                     -- 追加メモ（今回1項目のみ）
  via              TEXT NOT NULL CHECK (via IN ('liff','admin')),
  responded_at     TEXT NOT NULL,
  FOREIGN KEY(event_id) REFERENCES events(id) ON UPDATE CASCADE ON DELETE CASCADE,
  FOREIGN KEY(member_id) REFERENCES members(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX idx_evtrsp_event_member_time ON event_responses(event_id, member_id, responded_at DESC);

-- 送信要約（イベント単位）
CREATE TABLE event_push_stats (
  event_id         INTEGER PRIMARY KEY,
  success_count    INTEGER NOT NULL DEFAULT 0,
  fail_count       INTEGER NOT NULL DEFAULT 0,
  last_sent_at     TEXT NOT NULL,
  FOREIGN KEY(event_id) REFERENCES events(id) ON UPDATE CASCADE ON DELETE CASCADE
);
