-- The name that an MCP client of the older revisions gave in initialize, by its credential and
-- User-Agent. Unlogged: it labels audit rows, and a client says it again when it connects.
create unlogged table mcp_client_names (
  principal text not null,
  user_agent bytea not null,
  name text not null,
  seen_at timestamptz not null default clock_timestamp(),
  primary key (principal, user_agent)
);
