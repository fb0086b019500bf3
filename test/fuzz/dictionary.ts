// Values that requests are likely to be accepted with: some known beforehand, others seen in
// answers, kept by the name of their field.

/** The name of the domains that the account holds. */
const ownDomain = '/v1/domains#domain'

/** The most values that are kept for each name; later values replace earlier ones. */
const most_kept = 32

const known: Readonly<Record<string, readonly unknown[]>> = {
  domain: ['google.com', 'münchen.com', 'xn--mnchen-3ya.net', '-bad-.com', 'fuzz.shop', 'no-dot'],
  tlds: ['com', 'net,com', 'shop'],
  currency: ['USD', 'EUR'],
  country: ['US'],
  state: ['Virginia', 'pending', 'all'],
  zip: ['22202'],
  name: ['Grace Hopper'],
  address: ['1 Navy Street'],
  city: ['Arlington'],
  phone_country_code: ['1'],
  phone_number: ['7032255600'],
  host: ['www', '@', '*', 'a.b'],
  record_value: ['192.0.2.1', '2001:db8::1', '999.1.1.1'],
  max_price: ['99.00', '0.01', '10.85'],
  amount: ['99.00', '1.00', '0.00', '-1.00'],
  amount_cents: [1_000, 500, 100_000],
  period_years: [1, 2, 10],
  wait: [1],
  limit: [1, 2, 10],
  format: ['csv', 'pdf', 'json'],
  month: ['2026-11', '2026-10'],
  url: ['https://receiver.invalid/hook', 'http://127.0.0.1/'],
  provider: ['github', 'google'],
  schema: ['public'],
  table_name: ['customers', 'domains', 'pg_class'],
  code: ['123456'],
  protocolVersion: ['2025-06-18', '2026-07-28'],
}

/** Lists whose entries have the name of another field. */
const entries: Readonly<Record<string, string>> = {
  domains: 'domain',
  nameservers: 'nameserver',
  default_nameservers: 'nameserver',
  allowed_tlds: 'tld',
  allowed_domains: 'domain',
}

export class Dictionary {
  readonly #values = new Map<string, unknown[]>()

  constructor() {
    for (const [name, values] of Object.entries(known))
      for (const value of values) this.add(name, value)
    for (const host of ['ns1.example.net', 'ns2.example.net', 'ns1.example.com'])
      this.add('nameserver', host)
    for (const tld of ['com', 'net', 'shop', 'nope']) this.add('tld', tld)
  }

  add(name: string, value: unknown): void {
    const values = this.#values.get(name) ?? []
    if (values.includes(value)) return
    this.#values.set(name, [value, ...values].slice(0, most_kept))
  }

  /** The value of a field, or of the entries of a list; undefined where none is known. */
  pick(name: string, n: number): unknown {
    const owned = name === 'domain' && n % 3 > 0 ? this.#values.get(ownDomain) : undefined
    const values = owned ?? this.#values.get(entries[name] ?? name) ?? []
    if (values.length === 0) return undefined
    // Prefers the newest value, because older ones belong to accounts that have been closed.
    const share = (n % 1_000) / 1_000
    return values[Math.floor(share * share * values.length)]
  }

  /** A text of any field that matches; identifiers have a prefix of their own. */
  matching(pattern: RegExp, n: number): string | undefined {
    const texts = [...this.#values.values()].flat().filter((one) => typeof one === 'string')
    const fitting = texts.filter((one) => pattern.test(one))
    return fitting.length === 0 ? undefined : fitting[n % fitting.length]
  }

  /** Keeps the scalars of an answer. `at` is the place where its own "id" is a parameter. */
  harvest(body: unknown, at: string, depth = 0): void {
    if (typeof body !== 'object' || body === null || depth > 5) return
    const inner = Array.isArray(body) ? body.slice(0, 5) : Object.values(body)
    if (!Array.isArray(body))
      for (const [name, value] of Object.entries(body)) {
        const isScalar = typeof value === 'string' || typeof value === 'number'
        if (!isScalar || String(value).length > 200) continue
        this.add(name === 'next_cursor' ? 'cursor' : name, value)
        if (name === 'id') this.add(idNameOf(at), value)
        if (name === 'domain' && at === '/v1/domains') this.add(ownDomain, value)
      }
    for (const one of inner) this.harvest(one, at, depth + 1)
  }
}

/** A name for the parameter {id} of a path, and of the "id" of its answers: "/v1/webhooks#id". */
export function idNameOf(path: string): string {
  return `${path
    .split('/')
    .slice(0, 4)
    .join('/')
    .replace(/\/\{.*/, '')}#id`
}
