// Content negotiation by Accept-Encoding (RFC 9110 section 12.5.3), and documents that are
// compressed once and kept.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Coding = 'br' | 'gzip' | 'identity'

// The codings. The first of those that a client wants equally is sent.
const codings = ['br', 'gzip', 'identity'] as const
const element = /^([\w!#$%&'*+.^`|~-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i
// Short documents get no shorter, and fit into one packet.
const least_bytes = 1_400
// The greatest quality takes seconds for a few percent less.
const brotli_quality = 9

function weights(header: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const part of header.split(',')) {
    const [, name, q = '1'] = element.exec(part.trim()) ?? []
    if (name) found.set(name.toLowerCase().replace(/^x-gzip$/, 'gzip'), Number(q))
  }
  return found
}

/**
 * The coding to send. It is identity, which every client can read, where nothing else is accepted.
 */
export function codingFor(header: string | undefined): Coding {
  const given = weights(header ?? '')
  const any = given.get('*')
  // Identity is accepted unless it is refused, and less wanted than the codings that are asked for.
  const weightOf = (coding: Coding) =>
    given.get(coding) ?? any ?? (coding === 'identity' ? Number.MIN_VALUE : 0)
  const best = codings.reduce((a, b) => (weightOf(b) > weightOf(a) ? b : a))
  return weightOf(best) > 0 ? best : 'identity'
}

/** The octets of a document in each coding, which are made when they are first asked for. */
export class Encoded {
  readonly #plain: Buffer
  readonly #made = new Map<Coding, Promise<Buffer>>()

  constructor(plain: Buffer) {
    this.#plain = plain
  }

  /** The coding for a client that accepts these. */
  codingFor(header: string | undefined): Coding {
    return this.#plain.length < least_bytes ? 'identity' : codingFor(header)
  }

  octets(coding: Coding): Promise<Buffer> {
    const made = this.#made.get(coding) ?? this.#encode(coding)
    this.#made.set(coding, made)
    return made
  }

  #encode(coding: Coding): Promise<Buffer> {
    if (coding === 'gzip') return promisify(gzip)(this.#plain, { level: 9 })
    if (coding === 'identity') return Promise.resolve(this.#plain)
    const params = { [constants.BROTLI_PARAM_QUALITY]: brotli_quality }
    return promisify(brotliCompress)(this.#plain, { params })
  }
}
