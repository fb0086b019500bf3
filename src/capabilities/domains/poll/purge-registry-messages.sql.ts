// SQL of old messages of registries.
import { statement } from '../../../db/statement.ts'

/** Deletes up to $2 that were taken off their queue $1 days ago. */
export const purgeOldMessages = statement(
  'registry_messages_purge',
  `delete from registry_messages
    where id = any (array(
      select id from registry_messages
       where acked_at < statement_timestamp() - $1::int * interval '1 day'
       order by acked_at limit $2::int))`,
)
