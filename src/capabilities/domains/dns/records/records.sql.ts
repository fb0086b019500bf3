// SQL of the record sets of a holding.
import { statement } from '../../../../db/statement.ts'

/**
 * The serial of the records, and whether they are served. The holding is locked before, or the rows
 * are read as they are now.
 */
export const readRecordsHead = statement(
  'dns_records_read_head',
  `select d.id as domain_id, dns_records_serial(d.id) as serial,
          zones_hosts(d.nameservers) is not null as hosted
     from domains d
    where d.id = :id and d.customer_id = :customer_id and d.ended_at is null`,
  { not_null: ['serial', 'hosted'] },
)

/** All sets of a holding: the domain itself, then its hosts by their names from the end. */
export const readRecordSets = statement(
  'dns_records_read_sets',
  `select s.host, s.type, s.ttl, s.rdata
     from dns_record_sets s join domains d on d.id = s.domain_id
    where d.id = :id and d.customer_id = :customer_id and d.ended_at is null
    order by s.path, s.type`,
)

/** All sets of a holding, with the times of their last changes. */
export const readListedSets = statement(
  'dns_records_list_sets',
  `select s.host, s.type, s.ttl, s.rdata, s.updated_at
     from dns_record_sets s join domains d on d.id = s.domain_id
    where d.id = :id and d.customer_id = :customer_id and d.ended_at is null
    order by s.path, s.type`,
)

/**
 * Replaces `sets` [{path, type, host, ttl, rdata: [hexadecimal]}]; one without rdata is deleted.
 */
export const putRecordSets = statement(
  'dns_records_put_sets',
  `select dns_records_put(:domain_id, :sets)::text as put`,
  { writes: true },
)

/** Takes the next serial of the records, and of the zone if there is one. */
export const touchRecords = statement(
  'dns_records_touch_serial',
  `select dns_records_touch(:domain_id) as serial`,
  { not_null: ['serial'], writes: true },
)
