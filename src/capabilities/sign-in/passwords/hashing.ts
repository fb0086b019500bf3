// Password hashing: Argon2id of node:crypto, behind a concurrency limit with fair queueing.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { FairQueue } from '../../../kit/concurrency/fair-queue.ts'
import { KeyedSemaphore } from '../../../kit/concurrency/semaphore.ts'
import { networksOf, siteOf } from '../../../kit/net/ip.ts'

/** The stored form of a hash: a PHC string with its own parameters and salt (RFC 9106). */
type StoredHash = { costs: Costs; salt: Buffer; tag: Buffer }
type Costs = { memory_kib: number; passes: number; parallelism: number }

const argon2Async = promisify(argon2)
// OWASP's least for Argon2id with 19 MiB; some 35 ms of one core.
const usual: Costs = { memory_kib: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const tagBytes = 32

/**
 * Password work of this node. At most three at a time, as hashes run on the four threads that file
 * and DNS access need too, and one core stays free for all other requests. A caller that would wait
 * longer than about a second is refused.
 */
export const passwordQueue = new FairQueue({
  classes: ['known', 'unknown'],
  concurrency: Math.max(1, Math.min(3, availableParallelism() - 1)),
  waiting: 20,
})
const semaphore = new KeyedSemaphore()

/**
 * Queues the work by account, in the class of known clients: at most two wait behind the one that
 * runs. Rejects with Overloaded.
 */
export function queuedByAccount<T>(account: string, work: () => Promise<T>): Promise<T> {
  return semaphore.run([{ key: `account ${account}`, limit: 3 }], () =>
    passwordQueue.run({ class: 'known', key: account }, work),
  )
}

/** Queues the work by network, in the class of unknown clients. Rejects with Overloaded. */
export function queuedByNetwork<T>(address: string, work: () => Promise<T>): Promise<T> {
  return passwordQueue.run({ class: 'unknown', key: siteOf(address) }, work)
}

/**
 * Bounds the work of one address before anything is looked up for it: six at once, twelve of one
 * network, some more of a wider one. Rejects with Overloaded.
 */
export function limitedByAddress<T>(address: string, work: () => Promise<T>): Promise<T> {
  const own = networksOf(address).filter(({ step }) => step <= 2)
  const permits = own.map(({ name, step }) => ({ key: name, limit: 6 + 3 * step }))
  return semaphore.run(permits, work)
}

let made = 0
/** How many hashes this node has made so far. */
export function hashCount(): number {
  return made
}

// Verified in place of a missing hash, so that the check takes as long.
const decoy = writeHash({
  costs: usual,
  salt: randomBytes(saltBytes),
  tag: randomBytes(tagBytes),
})

/** The PHC string of a password that passwordProblem accepts. Runs within the password queue. */
export async function hashOf(password: string, costs: Costs = usual): Promise<string> {
  const salt = randomBytes(saltBytes)
  const tag = await digest(password, { costs, salt, length: tagBytes })
  return writeHash({ costs, salt, tag })
}

/**
 * Whether it is the password of this PHC string; null: false, for the same work, one hash. Runs
 * within the password queue.
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const { costs, salt, tag } = readHash(stored ?? decoy)
  const digested = await digest(password, { costs, salt, length: tag.length })
  return timingSafeEqual(digested, tag) && stored !== null
}

/** Whether a stored hash has other costs than a new one. */
export function isOutdated(stored: string): boolean {
  const { costs, salt, tag } = readHash(stored)
  const isUsual =
    costs.memory_kib === usual.memory_kib &&
    costs.passes === usual.passes &&
    costs.parallelism === usual.parallelism
  return !isUsual || salt.length !== saltBytes || tag.length !== tagBytes
}

/**
 * RFC 8265 (OpaqueString), as far as it matters: NFC, whatever the keyboard composes.
 */
export function toNfc(password: string): string {
  return password.normalize('NFC')
}

type Mixed = { costs: Costs; salt: Buffer; length: number }

async function digest(password: string, { costs, salt, length }: Mixed): Promise<Buffer> {
  made += 1
  return argon2Async('argon2id', {
    message: Buffer.from(toNfc(password), 'utf8'),
    nonce: salt,
    parallelism: costs.parallelism,
    tagLength: length,
    memory: costs.memory_kib,
    passes: costs.passes,
  })
}

const phcForm = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<tag>`, both in base64 without padding. */
export function writeHash({ costs, salt, tag }: StoredHash): string {
  const { memory_kib, passes, parallelism } = costs
  const parameters = `m=${memory_kib},t=${passes},p=${parallelism}`
  return `$argon2id$v=19$${parameters}$${unpadded(salt)}$${unpadded(tag)}`
}

/** The parts of such a string. Throws for anything else: the database checks the form. */
export function readHash(text: string): StoredHash {
  const [, m, t, p, salt = '', tag = ''] = phcForm.exec(text) ?? []
  if (tag === '') throw new Error('A stored password hash is not an Argon2id string')
  return {
    costs: { memory_kib: Number(m), passes: Number(t), parallelism: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

function unpadded(octets: Buffer): string {
  return octets.toString('base64').replaceAll('=', '')
}
