-- Lists find words in names by their trigrams, and runs that need a look by their verdict.

create index objects_by_id_prefix on objects (short_id text_pattern_ops) where deleted_at is null;
create index experiments_to_look_at on experiments (id desc) where meta->'verdict'->>'state' in ('warn', 'bad');

-- A number of the meta, which clients may have written in any form: null where it is no number.
create function json_number(value jsonb) returns double precision language sql immutable parallel safe as $$
  select case when jsonb_typeof(value) = 'number' then value::double precision end
$$;

-- pg_trgm comes with PostgreSQL, but some servers leave it out or forbid it: there a search reads every name.
do $$ begin
  create extension if not exists pg_trgm;
  create index objects_name_words on objects using gin (name gin_trgm_ops) where deleted_at is null;
exception when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then
  raise notice 'Names are searched without an index: %', sqlerrm;
end $$;
