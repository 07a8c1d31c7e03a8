-- Shares, and what users are notified of.

create table shares (
  id bigint primary key references objects on delete cascade,
  object_id bigint not null references objects on delete cascade,
  password_hash text,
  -- Grows at each change, which forgets every right answer that was remembered.
  password_version integer not null default 1,
  target_user_id bigint references users,
  include text[] not null default '{}',
  expires_at timestamptz,
  failed_attempts integer not null default 0,
  -- Fields and bounds as they were when the share was made.
  snapshot jsonb not null default '{}'
);
create index shares_of_object on shares (object_id);
create index shares_to_user on shares (target_user_id, object_id) where target_user_id is not null;

create table notifications (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  event text not null,
  title text not null,
  message text not null default '',
  msg_object text not null default '',
  msg_verb text not null default '',
  -- Id of the share by which the object is reached; empty when it is the user's own.
  share_id text not null default '',
  created_at timestamptz not null default now(),
  read_at timestamptz
);
create index notifications_of_user on notifications (user_id, id desc);
