// Rules of registries.yaml that its schema cannot express.
import type { Currency } from '../../../kit/money.ts'
import { feeVerbs } from '../port.ts'
import type { WrittenFile, WrittenRegistry } from './registries-schema.ts'

/** Rules that a schema cannot express. */
export function rulesBroken(file: WrittenFile): string[] {
  const problems: string[] = []
  const names = new Set<string>()
  const owners = new Map<string, string>()
  for (const [index, registry] of file.registries.entries()) {
    const at = `registries[${index}]`
    if (names.has(registry.name)) problems.push(`${at}.name: "${registry.name}" is listed twice`)
    names.add(registry.name)
    for (const [i, tld] of registry.tlds.entries()) {
      const owner = owners.get(tld)
      if (owner) problems.push(`${at}.tlds[${i}]: "${tld}" is already sold by "${owner}"`)
      owners.set(tld, registry.name)
    }
    problems.push(...registryRules(registry, at), ...rateRules(file, registry, at))
  }
  return problems
}

function registryRules(registry: WrittenRegistry, at: string): string[] {
  const { endpoint, periods, overrides, tlds } = registry
  const problems: string[] = []
  if (registry.sandbox === (endpoint !== undefined))
    problems.push(`${at}: needs either "endpoint" or "sandbox: true", not both`)
  problems.push(...endpointRules(registry, at))
  if (periods.min > periods.max || periods.max > registry.max_term_years)
    problems.push(`${at}.periods: min, max and max_term_years must be in this order`)
  if (registry.transfer.send_period && registry.transfer.years === 0)
    problems.push(`${at}.transfer: no period of 0 years can be sent: send_period must be false`)
  const { price_probes, idn } = registry
  for (const [key, byTld] of Object.entries({ overrides, price_probes, idn }))
    for (const tld of Object.keys(byTld))
      if (!tlds.includes(tld)) problems.push(`${at}.${key}.${tld}: not one of this registry's tlds`)
  for (const [tld, { also }] of Object.entries(idn))
    if (!also.every(isRange))
      problems.push(`${at}.idn.${tld}.also: a code point is above 10FFFF, or a range is empty`)
  if (registry.adapter === 'openprovider' || registry.fee) return problems
  for (const tld of tlds)
    for (const verb of feeVerbs)
      if (overrides[tld]?.costs[verb] === undefined)
        problems.push(
          `${at}.overrides.${tld}.costs.${verb}: needed, as the registry reports no fees`,
        )
  return problems
}

function endpointRules(registry: WrittenRegistry, at: string): string[] {
  if (!registry.endpoint) return []
  if ('base_url' in registry.endpoint) {
    const url = URL.parse(registry.endpoint.base_url)
    const plain =
      url?.protocol === 'http:' && !/^(localhost|127\.[0-9.]+|\[::1\])$/.test(url.hostname)
    if (!url?.host || url.username !== '' || url.password !== '' || plain)
      return [`${at}.endpoint.base_url: must be https (http only to this machine), without log-in`]
    return []
  }
  const { tls } = registry.endpoint
  if ((tls.cert_file === null) === (tls.key_file === null)) return []
  return [`${at}.endpoint.tls: cert_file and key_file go together`]
}

function rateRules(file: WrittenFile, registry: WrittenRegistry, at: string): string[] {
  return file.currencies
    .filter((currency) => currency !== registry.currency && rateOf(file, registry, currency) === 0n)
    .map(
      (currency) =>
        `exchange_rates.${registry.currency}.${currency}: needed above zero, as ${at} charges ` +
        `${registry.currency} and we sell in ${currency}`,
    )
}

/**
 * One unit of the registry's currency in another one, in millionths, or 0 if the file does not say.
 */
export function rateOf(file: WrittenFile, registry: WrittenRegistry, currency: Currency): bigint {
  if (currency === registry.currency) return 1_000_000n
  const text = file.exchange_rates[registry.currency]?.[currency] ?? '0'
  const [units = '0', decimals = ''] = text.split('.')
  return BigInt(units) * 1_000_000n + BigInt(decimals.padEnd(6, '0'))
}

function isRange(text: string): boolean {
  const [first = 0, last = first] = text.split('-').map((code) => Number.parseInt(code, 16))
  return first <= last && last <= 0x10ffff
}
