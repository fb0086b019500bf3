// Control: sends an unanswered command again at once, also at the reseller.
import { swap } from './swap.ts'

swap(
  'adapters/registry/openprovider/openprovider.ts',
  new URL('./send-again.openprovider.ts', import.meta.url).href,
)
