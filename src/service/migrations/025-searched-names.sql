-- A search that finds much is counted in one index, in which names stand as they are searched.

drop index objects_named;
create index objects_named on objects (kind, owner_id, name_folded, id desc) where deleted_at is null;
