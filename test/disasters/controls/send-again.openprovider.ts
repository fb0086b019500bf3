// The reseller's adapter without its declaration that requests cannot be sent again.
import { openOpenproviderRegistry as open } from '../../../src/adapters/registry/openprovider/openprovider.ts'
import type { Registry } from '../../../src/adapters/registry/port.ts'

export * from '../../../src/adapters/registry/openprovider/openprovider.ts'

export function openOpenproviderRegistry(...given: Parameters<typeof open>): Registry {
  const fenced = 'fenced' as const
  const resends = { register: fenced, renew: fenced, transfer: fenced, restore: fenced }
  return { ...open(...given), resends } satisfies Registry
}
