-- A workflow may be analysed by an analyzer that came with the service, named by its id, instead of an object of a user.
alter table workflows add column builtin_analyzer text not null default '';
