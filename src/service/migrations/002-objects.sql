-- What all kinds of objects share, and how many of each a user has.

create sequence row_number_model;
create sequence row_number_experiment;
create sequence row_number_share;
create sequence row_number_workflow;
create sequence row_number_data;
create sequence row_number_event;
create sequence row_number_callback;
create sequence row_number_relation;

-- What all kinds share. `status` is set for experiments only and stands here for the sake of the list's indices.
create table objects (
  id bigint generated always as identity primary key,
  kind text not null,
  row_number bigint not null,
  short_id text not null unique,
  owner_id bigint not null references users,
  name text not null default '',
  description text not null default '',
  status text,
  tags text[] not null default '{}',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_key uuid references deletions,
  deleted_at timestamptz
);
create index objects_newest on objects (kind, owner_id, id desc) where deleted_at is null;
create index objects_updated on objects (kind, owner_id, updated_at desc, id desc) where deleted_at is null;
create index objects_named on objects (kind, owner_id, lower(name), id desc) where deleted_at is null;
create index objects_by_status on objects (kind, owner_id, status, id desc) where deleted_at is null;
create index objects_unfinished on objects (status) where kind = 'experiment' and status in ('NEW', 'RUN', 'SAMPLE_FIN');
create index objects_deleted on objects (deleted_key) where deleted_key is not null;

-- Counts of objects, kept as rows to be summed: counting a hundred thousand objects for each page of a list took most
-- of its time. A change appends a row and never touches one, so that no two writers wait for each other;
-- fold_object_tallies joins many into one now and then. `hidden`: data that lists leave out.
create table object_tallies (
  id bigint generated always as identity primary key,
  owner_id bigint not null,
  kind text not null,
  status text not null,
  hidden boolean not null,
  n bigint not null
);
create index object_tallies_of_owner on object_tallies (owner_id, kind) include (status, hidden, n);

create function tally_new_objects() returns trigger language plpgsql as $$
begin
  insert into object_tallies (owner_id, kind, status, hidden, n)
  select owner_id, kind, coalesce(status, ''), kind = 'data' and tags @> array['anonymous'], count(*)
  from new_rows where deleted_at is null group by 1, 2, 3, 4;
  return null;
end $$;
create function tally_gone_objects() returns trigger language plpgsql as $$
begin
  insert into object_tallies (owner_id, kind, status, hidden, n)
  select owner_id, kind, coalesce(status, ''), kind = 'data' and tags @> array['anonymous'], -count(*)
  from old_rows where deleted_at is null group by 1, 2, 3, 4;
  return null;
end $$;
create function tally_changed_objects() returns trigger language plpgsql as $$
begin
  insert into object_tallies (owner_id, kind, status, hidden, n)
  select owner_id, kind, status, hidden, sum(n) from (
    select owner_id, kind, coalesce(status, '') as status, kind = 'data' and tags @> array['anonymous'] as hidden, 1 as n
    from new_rows where deleted_at is null
    union all
    select owner_id, kind, coalesce(status, ''), kind = 'data' and tags @> array['anonymous'], -1
    from old_rows where deleted_at is null) changes
  group by 1, 2, 3, 4 having sum(n) <> 0;
  return null;
end $$;
create trigger objects_made after insert on objects referencing new table as new_rows
  for each statement execute function tally_new_objects();
create trigger objects_gone after delete on objects referencing old table as old_rows
  for each statement execute function tally_gone_objects();
create trigger objects_changed after update on objects referencing old table as old_rows new table as new_rows
  for each statement execute function tally_changed_objects();

-- One at a time; rows appended in the meantime stay for the next.
create function fold_object_tallies() returns void language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(4715008) then return; end if;
  with gone as (delete from object_tallies returning owner_id, kind, status, hidden, n)
  insert into object_tallies (owner_id, kind, status, hidden, n)
  select owner_id, kind, status, hidden, sum(n) from gone group by 1, 2, 3, 4 having sum(n) <> 0;
end $$;
