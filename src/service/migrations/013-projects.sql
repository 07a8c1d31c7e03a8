-- Projects: what belongs together, and the texts between the runs. And what a share of several objects froze of each.

create sequence row_number_project;

create table projects (
  id bigint primary key references objects on delete cascade,
  note text not null default ''
);

create table project_members (
  project_id bigint not null references projects on delete cascade,
  object_id bigint not null references objects on delete cascade,
  added_at timestamptz not null default clock_timestamp(),
  primary key (project_id, object_id)
);
create index project_members_by_object on project_members (object_id);

create table project_entries (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  text text not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Taken out by its author, who may bring it back.
  deleted_at timestamptz
);
create index project_entries_of_project on project_entries (project_id, id);

create table share_members (
  share_id bigint not null references shares on delete cascade,
  object_id bigint not null references objects on delete cascade,
  -- What opens the member, under the password and the end of the share. Null: it is named only.
  short_id text unique,
  added_at timestamptz not null,
  snapshot jsonb not null,
  primary key (share_id, object_id)
);
create index share_members_by_object on share_members (object_id) where short_id is not null;
