// SQL of the times of last use. Each statement skips rows that are locked or have a later use: the
// next flush writes a later one.
import { statement } from '../../../db/statement.ts'

export const flushKeyUses = statement(
  'api_keys_flush_uses',
  `with used as (
     select k.id, u.at
       from unnest(:ids::bigint[], :times::timestamptz[]) as u (id, at)
       join api_keys k on k.id = u.id
      where k.last_used_at is null or k.last_used_at < u.at
      order by k.id
        for no key update of k skip locked
   )
   update api_keys k set last_used_at = used.at from used where k.id = used.id`,
)

export const flushSessionUses = statement(
  'sessions_flush_uses',
  `with used as (
     select s.id, u.at
       from unnest(:ids::bigint[], :times::timestamptz[]) as u (id, at)
       join sessions s on s.id = u.id
      where s.last_used_at < u.at
      order by s.id
        for no key update of s skip locked
   )
   update sessions s set last_used_at = used.at from used where s.id = used.id`,
)

export const flushGrantUses = statement(
  'oauth_grants_flush_uses',
  `with used as (
     select g.id, u.at
       from unnest(:ids::text[], :times::timestamptz[]) as u (id, at)
       join oauth_grants g on g.id = u.id
      where g.last_used_at is null or g.last_used_at < u.at
      order by g.id
        for no key update of g skip locked
   )
   update oauth_grants g set last_used_at = used.at from used where g.id = used.id`,
)
