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
type Mixed = { costs: Costs; salt: Buffer; length: number }

const argon2Async = promisify(argon2)
// OWASP's least for Argon2id with 19 MiB; some 35 ms of one core.
const usual: Costs = { memory_kib: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const tagBytes = 32

declare module '../../../app.ts' {
  interface App {
    passwordHasher: PasswordHasher
  }
}

/** The password work of this node. */
export class PasswordHasher {
  readonly #costs: Costs
  /** Verified in place of a missing hash, so that the check takes as long. */
  readonly #decoy: string
  /** The number of hashes that this node has made so far. */
  count = 0
  /**
   * At most three hashes run at a time, since they run on the four threads that file and DNS access
   * need too, and one core stays free for all other requests. A caller that would wait longer than
   * about a second is refused.
   */
  readonly queue = new FairQueue({
    classes: ['known', 'unknown'],
    concurrency: Math.max(1, Math.min(3, availableParallelism() - 1)),
    waiting: 20,
  })
  readonly #semaphore = new KeyedSemaphore()

  /** Tests that are not about hashing use cheaper ones. */
  constructor(costs: Costs = usual) {
    this.#costs = costs
    this.#decoy = writeHash({ costs, salt: randomBytes(saltBytes), tag: randomBytes(tagBytes) })
  }

  /**
   * Queues the work by account, in the class of known clients: at most two wait behind the one that
   * runs. Rejects with Overloaded.
   */
  queuedByAccount<T>(account: string, work: () => Promise<T>): Promise<T> {
    return this.#semaphore.run([{ key: `account ${account}`, limit: 3 }], () =>
      this.queue.run({ class: 'known', key: account }, work),
    )
  }

  /** Queues the work by network, in the class of unknown clients. Rejects with Overloaded. */
  queuedByNetwork<T>(address: string, work: () => Promise<T>): Promise<T> {
    return this.queue.run({ class: 'unknown', key: siteOf(address) }, work)
  }

  /**
   * Bounds the work of one address before anything is looked up for it: six at once, twelve of one
   * network, some more of a wider one. Rejects with Overloaded.
   */
  limitedByAddress<T>(address: string, work: () => Promise<T>): Promise<T> {
    const own = networksOf(address).filter(({ step }) => step <= 2)
    const permits = own.map(({ name, step }) => ({ key: name, limit: 6 + 3 * step }))
    return this.#semaphore.run(permits, work)
  }

  /** The PHC string of a password that passwordProblem accepts. Runs within the queue. */
  async hash(password: string, costs: Costs = this.#costs): Promise<string> {
    const salt = randomBytes(saltBytes)
    const tag = await this.#digest(password, { costs, salt, length: tagBytes })
    return writeHash({ costs, salt, tag })
  }

  /**
   * Whether it is the password of this PHC string. For null it is false after the same work, one
   * hash. Runs within the queue.
   */
  async verify(password: string, stored: string | null): Promise<boolean> {
    const { costs, salt, tag } = readHash(stored ?? this.#decoy)
    const digested = await this.#digest(password, { costs, salt, length: tag.length })
    return timingSafeEqual(digested, tag) && stored !== null
  }

  /** Whether a stored hash has other costs than a new one. */
  isOutdated(stored: string): boolean {
    const { costs, salt, tag } = readHash(stored)
    const isCurrent =
      costs.memory_kib === this.#costs.memory_kib &&
      costs.passes === this.#costs.passes &&
      costs.parallelism === this.#costs.parallelism
    return !isCurrent || salt.length !== saltBytes || tag.length !== tagBytes
  }

  #digest(password: string, { costs, salt, length }: Mixed): Promise<Buffer> {
    this.count += 1
    return argon2Async('argon2id', {
      message: Buffer.from(toNfc(password), 'utf8'),
      nonce: salt,
      parallelism: costs.parallelism,
      tagLength: length,
      memory: costs.memory_kib,
      passes: costs.passes,
    })
  }
}

/**
 * RFC 8265 (OpaqueString), as far as it matters: NFC, whatever the keyboard composes.
 */
export function toNfc(password: string): string {
  return password.normalize('NFC')
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
