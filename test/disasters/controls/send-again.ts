// Control: at the reseller, too, whatever got no answer is sent again at once.
import { swap } from './swap.ts'

swap(
  'adapters/registry/openprovider/openprovider.ts',
  new URL('./send-again.openprovider.ts', import.meta.url).href,
)
