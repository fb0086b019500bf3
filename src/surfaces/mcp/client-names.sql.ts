// SQL of the names of MCP clients.
import { statement } from '../../db/statement.ts'

/** Stores a name, at most some twenty for one principal. */
export const keepClientName = statement(
  'mcp_client_names_keep',
  `with surplus as (
     delete from mcp_client_names
      where principal = :principal and user_agent in (
        select user_agent from mcp_client_names
         where principal = :principal order by seen_at desc offset 20))
   insert into mcp_client_names (principal, user_agent, name)
   values (:principal, :user_agent, :name)
   on conflict (principal, user_agent)
     do update set name = excluded.name, seen_at = excluded.seen_at`,
)

export const clientNameOf = statement(
  'mcp_client_names_of',
  `select name from mcp_client_names where principal = :principal and user_agent = :user_agent`,
)
