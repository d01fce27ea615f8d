-- 会員（名簿ミラー）
CREATE TABLE members (
  id               INTEGER PRIMARY KEY,
  name             TEXT NOT NULL,
  name_key         TEXT NOT NULL,               -- 空白除去＋小文字化（NFKC無し）
  display_order    INTEGER,
  line_user_id     TEXT UNIQUE,
  line_display_name TEXT,                       -- 参考用：最後に見えた表示名
  is_target        INTEGER NOT NULL DEFAULT 0,  -- 0/1：配信対象に含めるか
  role             TEXT NOT NULL DEFAULT 'member', -- 'member' | 'admin'
  created_at       TEXT NOT NULL,
  updated_at       TEXT NOT NULL
);
CREATE INDEX idx_members_name_key ON members(name_key);
CREATE INDEX idx_members_display_order ON members(display_order);
CREATE INDEX idx_members_is_target ON members(is_target);

-- 管理ユーザー
CREATE TABLE admin_users (
  id               INTEGER PRIMARY KEY AUTOINCREMENT,
  username         TEXT NOT NULL UNIQUE,
  password_hash    TEXT NOT NULL,
  member_id        INTEGER,
  created_at       TEXT NOT NULL,
  updated_at       TEXT NOT NULL,
  FOREIGN KEY(member_id) REFERENCES members(id) ON UPDATE CASCADE ON DELETE SET NULL
);

-- グループ（理事会・各委員会）
CREATE TABLE audiences (
  id               INTEGER PRIMARY KEY AUTOINCREMENT,
  name             TEXT NOT NULL UNIQUE,
  sort_order       INTEGER,
  created_at       TEXT NOT NULL,
  updated_at       TEXT NOT NULL
);

-- グループ所属
CREATE TABLE audience_members (
  audience_id      INTEGER NOT NULL,
  member_id        INTEGER NOT NULL,
  PRIMARY KEY (audience_id, member_id),
  FOREIGN KEY(audience_id) REFERENCES audiences(id) ON UPDATE CASCADE ON DELETE CASCADE,
  FOREIGN KEY(member_id)   REFERENCES members(id)   ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX idx_audmem_member ON audience_members(member_id);
