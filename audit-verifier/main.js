#!/usr/bin/env node
// @ts-check
// The command, which verifies an exported audit log offline.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { keyIdOf, readKey } from './proofs.js'
import { compareExports, compareHead, Invalid, verifyExport } from './verify-export.js'

const usage = `Verifies an audit log that agent-registrar has exported. It asks no service and no database.

  agent-registrar-audit-verifier EXPORT.jsonl [--key KEY] [--older OLDER.jsonl] [--head HEAD.json]

  EXPORT.jsonl  the pages of GET /v1/customers/{customer_id}/audit-logs/export, one in each line
  --key KEY     the public key that you noted: its id, a file, or base64. Repeat it for more keys
  --older FILE  an export that you kept: no entry of it may be missing or changed
  --head FILE   a signed head that you kept (GET /v1/audit/head)

Exits with 0 if all holds, 1 if something does not, 2 if the command is wrong.
`

class UsageError extends Error {}

/** @param {string} path */
function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(
      `${path} cannot be read: ${error instanceof Error ? error.message : error}`,
    )
  }
}

/** @param {string} given @returns {string} The id of a key. */
function keyId(given) {
  if (/^[0-9a-f]{32}$/.test(given)) return given
  const isFile = !/^[A-Za-z0-9+/]+={0,2}$/.test(given) || given.length < 40
  try {
    return keyIdOf(readKey(isFile ? readText(given) : given))
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`--key ${given} is neither the id of a key nor a public key`)
  }
}

/** @param {string[]} args @returns {string} The report. */
function run(args) {
  /** @type {{ key?: string[], older?: string, head?: string, help?: boolean }} */
  let values
  /** @type {string[]} */
  let positionals
  try {
    const options = {
      key: { type: 'string', multiple: true },
      older: { type: 'string' },
      head: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    }
    // @ts-expect-error: literals of options are widened in JavaScript.
    ;({ values, positionals } = parseArgs({ args, options, allowPositionals: true }))
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
  if (values.help) return usage
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError('Name one file.')
  const trusted = values.key ? new Set(values.key.map(keyId)) : null
  const log = verifyExport(readText(file), trusted)
  const { customer_id, block_number, hashes, times, archived_to } = log
  const span = times ? `, from ${times[0]} to ${times[1]}` : ''
  const lines = [
    `Valid: ${hashes.size} entries of ${customer_id}${span}.`,
    `Each is in a signed block; none is missing up to block ${block_number}.`,
  ]
  if (archived_to !== null)
    lines.push(`Entries up to ${archived_to} may be in an archive of the operator.`)
  if (values.older !== undefined) {
    const older = verifyExport(readText(values.older), trusted)
    const archived = compareExports(log, older)
    lines.push(`All ${older.hashes.size - archived} entries of ${values.older} are unchanged.`)
    if (archived > 0) lines.push(`${archived} more were archived since.`)
  }
  if (values.head !== undefined) {
    const is = compareHead(log, parsed(values.head), trusted)
    lines.push(
      is === 'same'
        ? 'The block of the head is the one of the export.'
        : 'The signature of the head is valid; none of these entries is in its block.',
    )
  }
  lines.push(`Signed with: ${[...log.key_ids].join(', ')}.`)
  if (!trusted) lines.push('Compare that with the key that you noted, or name it: --key ID.')
  return `${lines.join('\n')}\n`
}

/** @param {string} path */
function parsed(path) {
  const text = readText(path)
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${path} is not JSON`)
  }
}

try {
  process.stdout.write(run(process.argv.slice(2)))
} catch (error) {
  if (error instanceof Invalid) {
    process.stderr.write(`Not valid: ${error.message}.\n`)
    process.exitCode = 1
  } else if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n\n${usage}`)
    process.exitCode = 2
  } else throw error
}
