-- Accounts of an OpenID Connect provider, and sign-ins on their way through it.

-- A person of a provider is its issuer and subject: names and addresses change hands.
create table identities (
  id bigint generated always as identity primary key,
  issuer text not null,
  subject text not null,
  user_id bigint not null references users,
  -- What the provider called the person last.
  label text not null,
  -- The account was made for it: name and rights follow the provider. False: linked by its owner.
  is_account_made boolean not null,
  signed_in_at timestamptz not null default now(),
  unique (issuer, subject)
);
create index identities_of_user on identities (user_id);

-- Begun and not yet finished, for whichever service is asked next.
create table sign_ins (
  state_hash bytea primary key,
  -- Of what only the tab that began has.
  browser_hash bytea not null,
  nonce text not null,
  verifier text not null,
  redirect_uri text not null,
  -- The account that is to be linked; null: a sign-in.
  user_id bigint references users,
  expires_at timestamptz not null
);
create index sign_ins_by_end on sign_ins (expires_at);

-- Tokens that came by a provider.
create table provider_sessions (
  token_id bigint primary key references tokens on delete cascade,
  identity_id bigint not null references identities on delete cascade,
  -- Names the session when it is ended at the provider, and opens nothing.
  id_token text not null
);
create index provider_sessions_of_identity on provider_sessions (identity_id);
