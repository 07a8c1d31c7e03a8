-- Millions of objects of many people: every statement finds its rows by an index, and nothing reads what others have.

-- Lists of every kind, the room an owner's objects take, what a person has deleted.
create index objects_of_owner on objects (owner_id, id desc);
create index objects_by_removal on objects (deleted_at) where deleted_at is not null;
create index deletions_of_user on deletions (user_id);
create index deletions_by_time on deletions (created_at);
create index tokens_by_user on tokens (user_id);
create index tokens_by_deletion on tokens (deleted_key) where deleted_key is not null;
create index tokens_by_removal on tokens (deleted_at) where deleted_at is not null;
create index tokens_by_end on tokens (expires_at) where kind <> 'api';
create index notifications_by_reading on notifications (read_at) where read_at is not null;
create index project_entries_by_removal on project_entries (deleted_at) where deleted_at is not null;
create index export_files_by_path on export_files (path) where path <> '';
create index queue_turns_changed on queue_turns (owner_id) where weight <> 1 or chain_limit is not null;
-- Runs that ended a moment ago.
create index experiments_by_end on experiments (finished_at) where finished_at is not null;

-- Whoever refers to what is purged: PostgreSQL looks for such rows, and makes no index for it.
create index workflows_by_model on workflows (model_id, id desc);
create index workflows_by_analyzer on workflows (analyzer_id) where analyzer_id is not null;
drop index experiments_by_data;
create index experiments_by_data on experiments (data_id, id desc);
drop index share_members_by_object;
create index share_members_by_object on share_members (object_id);
create index data_versions_by_hash on data_versions (hash);
create index sample_marks_by_experiment on sample_marks (experiment_id);
-- A layout goes with its experiment, and so do its batches: looking for them a second time, by the layout, would read
-- every batch there is.
alter table draw_batches drop constraint draw_batches_layout_id_fkey;

-- Counts: of each owner, kind and status one row is folded, and the newer ones are added to it. Only the newer ones are
-- read to fold them, however many owners there are.
alter table object_tallies add column is_folded boolean not null default false;
create unique index object_tallies_folded on object_tallies (owner_id, kind, status, hidden) where is_folded;
create index object_tallies_new on object_tallies (id) where not is_folded;
create or replace function fold_object_tallies() returns void language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(4715008) then return; end if;
  with gone as (delete from object_tallies where not is_folded returning owner_id, kind, status, hidden, n)
  insert into object_tallies as t (owner_id, kind, status, hidden, n, is_folded)
  select owner_id, kind, status, hidden, sum(n), true from gone group by 1, 2, 3, 4 having sum(n) <> 0
  on conflict (owner_id, kind, status, hidden) where is_folded do update set n = t.n + excluded.n;
end $$;

-- Blobs that an object needs no more: a purge looks at these alone, not at every blob. Rows are only ever appended, so
-- that no two transactions wait for each other.
create table blob_candidates (
  id bigint generated always as identity primary key,
  hash bytea not null
);
create function note_blob_candidates() returns trigger language plpgsql as $$
begin
  insert into blob_candidates (hash) select hash from old_rows;
  return null;
end $$;
create trigger object_blobs_gone after delete on object_blobs referencing old table as old_rows
  for each statement execute function note_blob_candidates();
insert into blob_candidates (hash)
  select b.hash from blobs b where not exists (select 1 from object_blobs r where r.hash = b.hash);

-- When a worker last looked for what was lost or is due: one of all does so, and not each of a thousand.
create table shared_rounds (
  id integer primary key check (id = 1),
  taken_at timestamptz not null
);
insert into shared_rounds values (1, '-infinity');
