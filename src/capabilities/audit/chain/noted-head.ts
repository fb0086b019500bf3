// The noted head: the newest link that this node sealed, saw or published, kept in the data folder.
// The database must not fall behind it.
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { SettingError } from '../../../config/config.ts'

/** A link of the chain by its number: a block's hash, or a restoration's. */
export type Head = { number: string; block_hash: string }

const headFile = 'audit-head.json'
// Beside the file, so that removing it under a running service hides nothing.
const remembered = new Map<string, Head>()

function isHead(value: unknown): value is Head {
  const { number, block_hash } = Object(value)
  return (
    typeof number === 'string' &&
    /^[0-9]{1,18}$/.test(number) &&
    typeof block_hash === 'string' &&
    /^[0-9a-f]{64}$/.test(block_hash)
  )
}

/** Parses a head, as noted here or as published by the service; null for anything else. */
export function parseHead(text: string): Head | null {
  try {
    const value: unknown = JSON.parse(text)
    return isHead(value) ? { number: value.number, block_hash: value.block_hash } : null
  } catch {
    return null
  }
}

function readFile(data_dir: string): Head | null {
  const path = join(data_dir, headFile)
  if (!existsSync(path)) return null
  const head = parseHead(readFileSync(path, 'utf8'))
  if (head) return head
  throw new SettingError(
    'DATA_DIR',
    `has an unreadable ${headFile}: put back a copy of it, or a head that GET /v1/audit/head gave`,
  )
}

function newer(a: Head | null, b: Head | null): Head | null {
  if (a === null || b === null) return a ?? b
  return BigInt(b.number) > BigInt(a.number) ? b : a
}

/** The newest link that this folder or this process knows of, if any. */
export function notedHead({ settings }: { settings: { data_dir: string } }): Head | null {
  const { data_dir } = settings
  return newer(remembered.get(data_dir) ?? null, readFile(data_dir))
}

/** Keeps the head, durably, unless a newer one is noted. */
export function noteHead(data_dir: string, { number, block_hash }: Head): void {
  const head = { number, block_hash }
  const noted = readFile(data_dir)
  if (newer(noted, head) === head) {
    const path = join(data_dir, headFile)
    const own = `${path}.${process.pid}`
    const handle = openSync(own, 'w', 0o644)
    writeSync(handle, JSON.stringify(head))
    fsyncSync(handle)
    closeSync(handle)
    renameSync(own, path)
  }
  const newest = newer(remembered.get(data_dir) ?? null, head)
  if (newest) remembered.set(data_dir, newest)
}

/** Renames the noted head of another database, and starts without one. */
export function archiveNotedHead(data_dir: string, now: Date): void {
  remembered.delete(data_dir)
  const path = join(data_dir, headFile)
  const stamp = now.toISOString().replaceAll(/[:.]/g, '-')
  if (existsSync(path)) renameSync(path, join(data_dir, `audit-head.${stamp}.json`))
}
