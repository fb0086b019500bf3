// Cases of the statements about DNS records.
import { json, type Params, type StatementName } from '../../../src/db/statement.ts'
import { customerId } from './sizes.ts'

const largest = customerId(0)

type Cases = { [N in StatementName]?: readonly Params<N>[] }

export function dnsCases({ domain }: { domain: string }): Cases {
  const names = [domain, 'com']
  const question = { types: [1, 5, 2], all_types: false }
  return {
    zones_find_sets: [{ names, zones: names, paths: [`com.${domain}`, 'com'], ...question }],
    exports_tsig_keys: [{ customer_id: largest, after: '', limit: 2n }],
    exports_dns_changes: [{ customer_id: largest, after: '0', limit: 10n }],
    dns_records_put_sets: [{ domain_id: 1n, sets: json([]) }],
  }
}
