// The reseller's adapter without what it says about sending again.
import { openOpenproviderRegistry as open } from '../../../src/outside/registry/openprovider.ts'
import type { Registry } from '../../../src/outside/registry/port.ts'

export * from '../../../src/outside/registry/openprovider.ts'

export function openOpenproviderRegistry(...given: Parameters<typeof open>): Registry {
  const fenced = 'fenced' as const
  const resends = { register: fenced, renew: fenced, transfer: fenced, restore: fenced }
  return { ...open(...given), resends } satisfies Registry
}
