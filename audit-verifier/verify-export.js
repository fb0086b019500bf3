// @ts-check
// Verification of an exported audit log: compares every entry with its signed block, every page
// with the service's signed statement, and the whole log with an older export or a kept head.
import {
  canonicalJson,
  hashOf,
  isSigned,
  keyIdOf,
  merkleRoot,
  readKey,
  rootOfPath,
} from './proofs.js'

/** @typedef {Record<string, any>} Fields */
/** @typedef {{ statement: Fields, signature: string, public_key: string, entries: Fields[], blocks: Fields[] }} Page */
/**
 * @typedef {object} Log
 * @property {string} customer_id
 * @property {string} block_number The newest block of the export.
 * @property {string | null} archived_to
 * @property {Map<string, string>} hashes The hash of each entry, by its id.
 * @property {Map<string, string>} blocks The hash of each block, by its number.
 * @property {Set<string>} key_ids
 * @property {[string, string] | null} times The times of the first and the last entry.
 */

/** The first thing that does not hold. */
export class Invalid extends Error {}

/** @param {unknown} holds @param {string} otherwise @returns {asserts holds} */
function require(holds, otherwise) {
  if (!holds) throw new Invalid(otherwise)
}

/**
 * Verifies a file of JSON Lines with one page in each line. Throws Invalid.
 * @param {string} text
 * @param {ReadonlySet<string> | null} trusted The ids of the trusted keys, or null to trust every
 * key.
 * @returns {Log}
 */
export function verifyExport(text, trusted) {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  require(lines.length > 0, 'the file is empty')
  const pages = lines.map(readPage)
  const [first] = pages
  require(first, 'the file is empty')
  const { customer_id, block_number, archived_to } = first.statement
  /** @type {Log} */
  const log = {
    ...{ customer_id, block_number, archived_to },
    ...{ hashes: new Map(), blocks: new Map(), key_ids: new Set(), times: null },
  }
  let after = '0'
  for (const [at, page] of pages.entries()) {
    const line = `line ${at + 1}`
    const { statement } = page
    verifyStatement(page, { line, trusted, log })
    for (const name of ['customer_id', 'block_number', 'block_hash'])
      require(statement[name] === first.statement[name], `${line} is of another export: ${name}`)
    require(statement.after_id === after, `${line}: a page before it is missing, or out of order`)
    require(statement.complete === (at === pages.length - 1), statement.complete
      ? `${line} is the last page, and more follow`
      : 'the last page is missing')
    verifyEntries(page, { line, trusted, log })
    after = statement.last_id
  }
  return log
}

/** @param {string} line @param {number} at @returns {Page} */
function readPage(line, at) {
  /** @type {any} */
  let page
  try {
    page = JSON.parse(line)
  } catch {
    throw new Invalid(`line ${at + 1} is not JSON`)
  }
  const isPage =
    page?.statement?.type === 'audit_export' &&
    Array.isArray(page.entries) &&
    Array.isArray(page.blocks)
  require(isPage, `line ${at + 1} is not a page of an export`)
  return page
}

/** @typedef {{ line: string, trusted: ReadonlySet<string> | null, log: Log }} Context */

/** @param {Page} page @param {Context} context */
function verifyStatement({ statement, signature, public_key }, { line, trusted, log }) {
  const key = keyOf(public_key, statement.key_id, { line: `${line}: the statement`, trusted, log })
  const digest = Buffer.from(hashOf(canonicalJson(statement)), 'hex')
  require(isSigned(digest, { key, signature }), `${line}: the signature is not of this statement`)
}

/** @param {string} public_key @param {string} key_id @param {Context} context */
function keyOf(public_key, key_id, { line, trusted, log }) {
  /** @type {import('node:crypto').KeyObject} */
  let key
  try {
    key = readKey(String(public_key))
  } catch {
    throw new Invalid(`${line} has no public key`)
  }
  require(keyIdOf(key) === key_id, `${line} names key ${key_id}, and has another one`)
  require(!trusted || trusted.has(key_id), `${line} is signed with key ${key_id}, not with yours`)
  log.key_ids.add(key_id)
  return key
}

/** @param {Page} page @param {Context} context */
function verifyEntries({ statement, entries, blocks }, context) {
  const { line, log } = context
  const byNumber = new Map(blocks.map((block) => [block.number, block]))
  for (const block of byNumber.values()) verifyBlock(block, statement, context)
  require(entries.length === statement.count, `${line} lacks entries, or has added ones`)
  let before = BigInt(statement.after_id)
  for (const entry of entries) {
    const name = `entry ${entry.id}`
    require(BigInt(entry.id) > before, `${name} is out of order`)
    before = BigInt(entry.id)
    require(hashOf(entry.canonical_row) === entry.row_hash, `${name} was changed`)
    const row = JSON.parse(entry.canonical_row)
    require(row.customer_id === statement.customer_id, `${name} is of another account`)
    const block = byNumber.get(entry.block_number)
    require(block, `${name}: its block ${entry.block_number} is missing`)
    const { leaf_index: index, path } = entry
    const root = rootOfPath(entry.row_hash, { index, size: block.row_count, path })
    require(root === block.merkle_root, `${name} is not in block ${block.number}`)
    log.hashes.set(String(entry.id), entry.row_hash)
    log.times = [log.times?.[0] ?? row.created_at, row.created_at]
  }
  require(String(before) === statement.last_id, `${line} lacks its last entries`)
  const root = merkleRoot(entries.map(({ row_hash }) => row_hash))
  require(root === statement.entries_root, `${line} has other entries than its statement says`)
}

/** @param {Fields} block @param {Fields} statement @param {Context} context */
function verifyBlock(block, statement, { trusted, log }) {
  const name = `block ${block.number}`
  const { block_hash, signature, public_key, ...fields } = block
  require(hashOf(canonicalJson(fields)) === block_hash, `${name} was changed`)
  const key = keyOf(public_key, block.key_id, { line: name, trusted, log })
  const octets = Buffer.from(block_hash, 'hex')
  require(isSigned(octets, { key, signature }), `${name} has a signature that is not of its key`)
  require(BigInt(block.number) <=
    BigInt(statement.block_number), `${name} is newer than the export`)
  const known = log.blocks.get(block.number)
  require(known === undefined || known === block_hash, `there are two blocks ${block.number}`)
  const isNewest = block.number === statement.block_number
  require(!isNewest || block_hash === statement.block_hash, `${name} is not the one of the export`)
  log.blocks.set(block.number, block_hash)
}

/**
 * Compares an export with an older one of the same account. Throws Invalid.
 * @param {Log} log
 * @param {Log} older
 * @returns {number} The number of entries that have moved to an archive since then.
 */
export function compareExports(log, older) {
  require(older.customer_id === log.customer_id, 'the older export is of another account')
  require(BigInt(older.block_number) <=
    BigInt(log.block_number), 'the older export is the newer one: it has more blocks')
  for (const [number, hash] of older.blocks) {
    const now = log.blocks.get(number)
    require(now === undefined || now === hash, `block ${number} was replaced since`)
  }
  let archived = 0
  for (const [id, hash] of older.hashes) {
    const now = log.hashes.get(id)
    const isArchived = log.archived_to !== null && BigInt(id) <= BigInt(log.archived_to)
    if (now === undefined && isArchived) archived += 1
    else require(now !== undefined, `entry ${id} was deleted since`)
    require(now === undefined || now === hash, `entry ${id} was changed since`)
  }
  return archived
}

/**
 * Compares an export with a signed head of the log, as GET /v1/audit/head returns it. Throws
 * Invalid.
 * @param {Log} log
 * @param {Fields} head
 * @param {ReadonlySet<string> | null} trusted
 * @returns {'same' | 'elsewhere'} `elsewhere` if the export does not contain the head's block.
 */
export function compareHead(log, head, trusted) {
  const { signature, public_key, kind, number, block_hash, era, created_at, key_id } = head
  const fields = { type: 'audit_head', kind, number, block_hash, era, created_at, key_id }
  const key = keyOf(public_key, key_id, { line: 'the head', trusted, log })
  const octets = Buffer.from(canonicalJson(fields))
  require(isSigned(octets, { key, signature }), 'the head has a signature that is not of its key')
  const known = log.blocks.get(number)
  require(known === undefined ||
    known === block_hash, `block ${number} is not the one of the head: the log was rewritten`)
  return known === undefined ? 'elsewhere' : 'same'
}
