// A log with quarters of past years: two of them have rows, and the block between seals rows of
// both.
import { mkdtempSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { storeAuditRow } from '../chain/audit.sql.ts'
import { copiesOf, type Log, newLog, scratch, sealAll } from '../jobs/log.fixture.ts'
import { systemAuditRow } from '../rows/row.ts'
import { verifyAuditCommand } from '../verify/verify-command.ts'
import { archiveAudit } from './archive-audit.ts'

export const first = 'audit_logs_2023_01'
export const second = 'audit_logs_2023_04'

export type ArchivedLog = Log & {
  dir: string
  archive: (partition: string) => ReturnType<typeof archiveAudit>
  command: (archive_dir: string | null) => ReturnType<typeof verifyAuditCommand>
}

/** Replaces the partitions of a new database by ones from 2023 on. */
async function useOldPartitions(log: Log): Promise<void> {
  const there = await log.query("select name from partitions where parent = 'audit_logs'")
  for (const { name } of there) await log.query(`drop table ${name}`)
  await log.query("delete from partitions where parent = 'audit_logs'")
  await log.query(
    `create table ${first} partition of audit_logs
       for values from (minvalue) to ('2023-04-01 00:00:00+00')`,
  )
  await log.query(`select close_partition('${first}')`)
  await log.query(
    `insert into partitions values ('${first}', 'audit_logs', null, '2023-04-01 00:00:00+00')`,
  )
  const next = "select partitions_create_next('audit_logs') as name"
  await log.query(next)
  await useOnePartitionUntilNow(log)
  while ((await log.query(next))[0]?.name !== null);
}

/** One in place of a dozen quarters: each query would plan for all of them. */
async function useOnePartitionUntilNow(log: Log): Promise<void> {
  await log.query(
    `do $$
     declare until timestamptz := date_trunc('quarter', now(), 'UTC');
     begin
       execute format('create table audit_logs_2023_07 partition of audit_logs '
                      'for values from (''2023-07-01 00:00:00+00'') to (%L)', until);
       perform close_partition('audit_logs_2023_07');
       insert into partitions
       values ('audit_logs_2023_07', 'audit_logs', '2023-07-01 00:00:00+00', until);
     end $$`,
  )
}

export async function writeAt(log: Log, times: readonly string[]): Promise<void> {
  await log.database.transaction(async (sql) => {
    for (const [n, time] of times.entries())
      await storeAuditRow(
        sql,
        systemAuditRow(
          { action: `act_${n}`, agent_identifier: 'test', now: new Date(time) },
          { target_type: 'thing', target: `thing-${n}`, metadata: { n }, customer_id: 'cus_1' },
        ),
      )
  })
}

/**
 * Blocks 1 and 2 of the first quarter; 3 of both; 4 of the second; 5 of the second and of a later
 * one. Two rows each, but 3 in block 3.
 */
async function makeOldLog(): Promise<Log> {
  const log = await newLog()
  await useOldPartitions(log)
  const blocks = [
    ['2020-01-31T09:00:00Z', '2023-01-31T09:00:00Z'],
    ['2023-02-01T09:00:00.123Z', '2023-03-31T23:59:59.998Z'],
    ['2023-03-31T23:59:59.999Z', '2023-04-01T00:00:00Z', '2023-03-31T23:59:58Z'],
    ['2023-05-01T09:00:00Z', '2023-05-02T09:00:00Z'],
    ['2023-06-30T23:59:59.999Z', '2023-07-01T00:00:00Z'],
  ]
  for (const times of blocks) {
    await writeAt(log, times)
    await sealAll(log)
  }
  return log
}

const copyOfOldLog = copiesOf(makeOldLog)

export const oldLog = async (): Promise<ArchivedLog> => withArchives(await copyOfOldLog())

/** An archive of another service, which has a key of its own. */
export const otherOldLog = async (): Promise<ArchivedLog> => withArchives(await makeOldLog())

function withArchives(log: Log): ArchivedLog {
  const dir = mkdtempSync(join(scratch, 'archives-'))
  const parts = { db: log.owner, settings: log.settings }
  return {
    ...log,
    dir,
    archive: (partition) => archiveAudit({ ...parts, dir, partition }),
    command: (archive_dir) =>
      verifyAuditCommand({ db: log.database, settings: log.settings, archive_dir }),
  }
}

/** Seals what came after `oldLog`: `sealAll` counts rows, of which an archive took some away. */
export async function sealRest(log: Log): Promise<void> {
  for (;;) {
    await log.seal()
    const [left] = await log.query(
      `select exists (select from audit_logs a where (a.xid, a.id) > (b.to_xid, b.to_id)) as some
         from (select to_xid, to_id from audit_blocks order by number desc limit 1) b`,
    )
    if (left?.some === false) return
  }
}

/** Has the last step of archiving fail, as a crash before it would. */
export async function failTheDrop(log: Log): Promise<() => Promise<unknown>> {
  await log.query(
    `create function stop() returns trigger language plpgsql as
       $$begin raise exception 'stopped'; end$$`,
  )
  await log.query('create trigger stop before insert on audit_archives execute function stop()')
  return () => log.query('drop trigger stop on audit_archives')
}

/** The lines of an archive are changed, and it is packed again. */
export async function rewrite(
  log: ArchivedLog,
  name: string,
  change: (lines: string[]) => string[],
): Promise<void> {
  const path = join(log.dir, `${name}.jsonl.gz`)
  const lines = gunzipSync(await readFile(path))
    .toString()
    .trimEnd()
    .split('\n')
  await writeFile(path, gzipSync(`${change(lines).join('\n')}\n`))
}
