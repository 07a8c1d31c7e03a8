-- What grew with the whole queue, or with all that a person shares, is kept instead.

-- The queue as lines: what waits of one owner, started by one person, for one word of run_on. Who is next is found by
-- looking at the head of each line, however long the lines are.

-- Of the run, noted when a chain is queued. An owner changes only when no chain waits or runs.
alter table experiment_chains add column owner_id bigint;
-- Whose turn it takes: of a team's run, the member who started it.
alter table experiment_chains add column person_id bigint;
-- In small letters.
alter table experiment_chains add column run_on text;
-- How many of the run may be at work together; null: all.
alter table experiment_chains add column parallel_chains integer;
alter table tasks add column owner_id bigint;
alter table tasks add column person_id bigint;
alter table tasks add column run_on text;

create function find_line(run bigint, out owner_id bigint, out person_id bigint, out run_on text, out parallel_chains integer)
  language sql stable as $$
  select o.owner_id, coalesce(e.started_by, o.owner_id), lower(e.run_on), (e.settings->>'parallel_chains')::integer
  from experiments e join objects o on o.id = e.id where e.id = run
$$;
create function line_up_chain() returns trigger language plpgsql as $$
begin
  select * into new.owner_id, new.person_id, new.run_on, new.parallel_chains from find_line(new.experiment_id);
  return new;
end $$;
create function line_up_program() returns trigger language plpgsql as $$
begin
  select l.owner_id, l.person_id, l.run_on into new.owner_id, new.person_id, new.run_on from find_line(new.subject_id) l;
  return new;
end $$;
create function change_line() returns trigger language plpgsql as $$
begin
  update experiment_chains c set person_id = l.person_id, run_on = l.run_on, parallel_chains = l.parallel_chains
    from find_line(new.id) l where c.experiment_id = new.id and c.state in ('queued', 'running');
  update tasks t set person_id = l.person_id, run_on = l.run_on
    from find_line(new.id) l where t.kind = 'program' and t.subject_id = new.id;
  return null;
end $$;
create trigger chains_made before insert on experiment_chains
  for each row when (new.state in ('queued', 'running')) execute function line_up_chain();
create trigger chains_queued before update of state on experiment_chains
  for each row when (new.state = 'queued' and old.state <> 'queued') execute function line_up_chain();
create trigger programs_made before insert on tasks
  for each row when (new.kind = 'program') execute function line_up_program();
create trigger experiments_changed after update of started_by, run_on, settings on experiments
  for each row when (old.started_by is distinct from new.started_by or old.run_on <> new.run_on
    or old.settings->'parallel_chains' is distinct from new.settings->'parallel_chains') execute function change_line();

update experiment_chains c set (owner_id, person_id, run_on, parallel_chains) = (select * from find_line(c.experiment_id))
  where c.state in ('queued', 'running');
update tasks t set (owner_id, person_id, run_on) = (select l.owner_id, l.person_id, l.run_on from find_line(t.subject_id) l)
  where t.kind = 'program';

create index chains_in_line on experiment_chains
  (owner_id, person_id, run_on, priority desc, queued_at, experiment_id, chain)
  where state = 'queued' and desired_state = 'run';
create index programs_in_line on tasks (owner_id, person_id, run_on, queued_at, subject_id)
  where kind = 'program' and state = 'waiting';
-- With what is counted of all chains at work: the counts are read from the index.
drop index chains_running;
create index chains_running on experiment_chains (worker_id) include (owner_id, person_id, experiment_id, parallel_chains)
  where state = 'running';

-- Until when an object is shared: the end of its living share that ends last, 'infinity' where one has no end, null
-- without any. Lists of what a person shares would look through all shares of theirs.
alter table objects add column shared_until timestamptz;
create function note_sharing(shared bigint) returns void language plpgsql as $$
begin
  -- what others are about to share or revoke is waited for, and seen by the next statement
  perform 1 from objects where id = shared for no key update;
  update objects o set shared_until = s.until
    from (select max(coalesce(s.expires_at, 'infinity')) as until from shares s join objects so on so.id = s.id
      where s.object_id = shared and so.deleted_at is null) s
    where o.id = shared and o.shared_until is distinct from s.until;
end $$;
create function share_changed() returns trigger language plpgsql as $$
begin
  perform note_sharing(case tg_op when 'DELETE' then old.object_id else new.object_id end);
  return null;
end $$;
create function share_removed() returns trigger language plpgsql as $$
declare
  shared bigint;
begin
  select s.object_id into shared from shares s where s.id = new.id;
  perform note_sharing(shared);
  return null;
end $$;
create trigger shares_changed after insert or delete or update of expires_at on shares
  for each row execute function share_changed();
create trigger shares_removed after update of deleted_at on objects
  for each row when (new.kind = 'share' and old.deleted_at is distinct from new.deleted_at) execute function share_removed();
update objects o set shared_until = s.until
  from (select s.object_id, max(coalesce(s.expires_at, 'infinity')) as until from shares s join objects so on so.id = s.id
    where so.deleted_at is null group by 1) s
  where o.id = s.object_id;
create index objects_shared on objects (owner_id, kind, id desc) include (shared_until)
  where shared_until is not null and deleted_at is null;

-- Whose a run is, beside what its lists are ordered by: by R-hat, and what needs a look.
alter table experiments add column owner_id bigint;
create function own_run() returns trigger language plpgsql as $$
begin
  new.owner_id := (select o.owner_id from objects o where o.id = new.id);
  return new;
end $$;
create function move_run() returns trigger language plpgsql as $$
begin
  update experiments set owner_id = new.owner_id where id = new.id;
  return null;
end $$;
create trigger experiments_made before insert on experiments for each row execute function own_run();
create trigger experiments_moved after update of owner_id on objects
  for each row when (new.kind = 'experiment' and old.owner_id <> new.owner_id) execute function move_run();
update experiments e set owner_id = o.owner_id from objects o where o.id = e.id;
alter table experiments alter column owner_id set not null;
-- Two, since those without a value come last in both directions.
create index experiments_worst_rhat on experiments
  (owner_id, json_number(meta->'verdict'->'rhat_max') desc nulls last, id desc);
create index experiments_best_rhat on experiments
  (owner_id, json_number(meta->'verdict'->'rhat_max') asc nulls last, id desc);
drop index experiments_to_look_at;
create index experiments_to_look_at on experiments (owner_id, id desc) where meta->'verdict'->>'state' in ('warn', 'bad');
-- What room an account takes counts what was deleted too.
create index objects_removed_of_owner on objects (owner_id) where deleted_at is not null;
