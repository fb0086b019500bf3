// Password hashes: Argon2id of node:crypto, a few at a time on each node.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { networksOf, siteOf } from '../../../kit/net/ip.ts'
import { Turns } from './fair-queue.ts'
import { type Costs, readHash, writeHash } from './phc.ts'
import { Seats } from './semaphore.ts'

const argon2Async = promisify(argon2)
// OWASP's least for Argon2id with 19 MiB; some 35 ms of one core.
const usual: Costs = { memory_kib: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const tagBytes = 32

/**
 * Whose turn it is to work with passwords on this node. At most three at a time, as hashes run on
 * the four threads that files and names need too, and one core stays free for everybody else's
 * requests. Who would wait longer than about a second is sent away.
 */
export const passwordTurns = new Turns({
  running: Math.max(1, Math.min(3, availableParallelism() - 1)),
  waiting: 20,
})
const seats = new Seats()

/**
 * The work when it is the account's turn: known accounts wait in a line of their own, each in its
 * own lane, at most two behind the one that runs. Rejects with NoTurn.
 */
export function accountsTurn<T>(account: string, work: () => Promise<T>): Promise<T> {
  return seats.hold([{ key: `account ${account}`, most: 3 }], () =>
    passwordTurns.take({ line: 'known', lane: account }, work),
  )
}

/** The work when it is the turn of the address's network, as a stranger's. Rejects with NoTurn. */
export function strangersTurn<T>(address: string, work: () => Promise<T>): Promise<T> {
  return passwordTurns.take({ line: 'stranger', lane: siteOf(address) }, work)
}

/**
 * Whatever one address asks for is bounded before anything is looked up for it: six at once, twelve
 * of one network, some more of a wider one. Rejects with NoTurn.
 */
export function addressSeat<T>(address: string, work: () => Promise<T>): Promise<T> {
  const own = networksOf(address).filter(({ step }) => step <= 2)
  const taken = own.map(({ name, step }) => ({ key: name, most: 6 + 3 * step }))
  return seats.hold(taken, work)
}

let made = 0
/** How many hashes this node has made so far. */
export function hashesMade(): number {
  return made
}

// Of no password: what is checked where there is nothing to check, so that it takes as long.
const nobody = writeHash({
  costs: usual,
  salt: randomBytes(saltBytes),
  tag: randomBytes(tagBytes),
})

/** The PHC string of a password, which must be one that passwordProblem lets be. Within a turn. */
export async function hashOf(password: string, costs: Costs = usual): Promise<string> {
  const salt = randomBytes(saltBytes)
  const tag = await digest(password, { costs, salt, length: tagBytes })
  return writeHash({ costs, salt, tag })
}

/**
 * Whether it is the password of this PHC string; null: nobody's, which takes the same work, one
 * hash. Within a turn.
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const { costs, salt, tag } = readHash(stored ?? nobody)
  const digested = await digest(password, { costs, salt, length: tag.length })
  return timingSafeEqual(digested, tag) && stored !== null
}

/** Whether a stored hash was made with other costs than a new one would be. */
export function isOutdated(stored: string): boolean {
  const { costs, salt, tag } = readHash(stored)
  const isUsual =
    costs.memory_kib === usual.memory_kib &&
    costs.passes === usual.passes &&
    costs.parallelism === usual.parallelism
  return !isUsual || salt.length !== saltBytes || tag.length !== tagBytes
}

/**
 * RFC 8265 (OpaqueString) in what matters: one form of each character, whatever keyboard typed it.
 */
export function oneForm(password: string): string {
  return password.normalize('NFC')
}

type Mixed = { costs: Costs; salt: Buffer; length: number }

async function digest(password: string, { costs, salt, length }: Mixed): Promise<Buffer> {
  made += 1
  return argon2Async('argon2id', {
    message: Buffer.from(oneForm(password), 'utf8'),
    nonce: salt,
    parallelism: costs.parallelism,
    tagLength: length,
    memory: costs.memory_kib,
    passes: costs.passes,
  })
}
