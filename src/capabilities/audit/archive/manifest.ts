// The manifest of an archive: its signed record, in a file beside it, so that an archive can be
// verified without the database.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../../db/database.ts'
import { databaseTime } from '../../../db/server.sql.ts'
import { compile } from '../../../kit/schema.ts'
import {
  type ArchiveFacts,
  type ArchiveRecord,
  archiveProblem,
  archiveRecord,
  sameFacts,
  signArchive,
} from '../chain/archive-record.ts'
import type { Trusted } from '../chain/block.ts'
import { openAuditSigner, type SignerSettings, trustedKeys } from '../chain/signer.ts'
import { Unsound } from '../chain/unsound.ts'
import { writeBeside } from './write-archive.ts'

const schema = compile(archiveRecord)
const fileOf = (name: string) => `${name}.json`

/** The manifest in a folder; throws Unsound unless a trusted key signed it. */
export function readManifest(dir: string, name: string, trusted: Trusted): ArchiveRecord {
  const record = parsed(dir, name)
  const problem = archiveProblem(record, trusted)
  if (problem) throw new Unsound('archive', name, `has a manifest that ${problem}`)
  if (record.name === name) return record
  throw new Unsound('archive', name, `has the manifest of ${record.name}`)
}

function parsed(dir: string, name: string): ArchiveRecord {
  try {
    return schema.parse(JSON.parse(readFileSync(join(dir, fileOf(name)), 'utf8')))
  } catch {
    throw new Unsound('archive', name, `has no readable manifest ${fileOf(name)}`)
  }
}

type Signing = { db: Database; settings: SignerSettings; dir: string }

/** Signs what the archive holds and writes the manifest, unless an interrupted run did. */
export async function signedRecord(
  { db, settings, dir }: Signing,
  facts: ArchiveFacts,
): Promise<ArchiveRecord> {
  const { name } = facts
  if (!existsSync(join(dir, fileOf(name)))) {
    const made = signArchive(facts, openAuditSigner({ settings }), await databaseTime(db))
    await writeBeside(dir, fileOf(name), `${JSON.stringify(made, null, 2)}\n`)
  }
  const record = readManifest(dir, name, trustedKeys({ settings }))
  if (sameFacts(record, facts)) return record
  throw new Unsound('archive', name, 'has the manifest of another archive')
}
