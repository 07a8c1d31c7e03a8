-- Users, how they sign in, and what limits them.

create table settings (
  key text primary key,
  value jsonb not null
);

create table users (
  id bigint generated always as identity primary key,
  name text not null unique,
  -- argon2id; null for the first user until a password is set.
  password_hash text,
  super boolean not null default false,
  roles text[] not null default '{}',
  created_at timestamptz not null default now()
);

-- Everything removed by one request shares a key, and comes back by it.
create table deletions (
  key uuid primary key,
  user_id bigint not null references users,
  created_at timestamptz not null default now()
);

create table tokens (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  -- login and start tokens are not listed; a scoped one belongs to a run and opens only its experiment.
  kind text not null check (kind in ('login', 'api', 'start', 'run')),
  hash bytea not null unique,
  prefix text not null,
  name text not null default '',
  description text not null default '',
  scope text,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  deleted_key uuid references deletions,
  deleted_at timestamptz
);
create index tokens_of_user on tokens (user_id, id desc) where deleted_at is null;

-- Counters of attempts and requests, so that several services share one limit.
create table limits (
  key text primary key,
  level double precision not null,
  updated_at timestamptz not null default now()
);
