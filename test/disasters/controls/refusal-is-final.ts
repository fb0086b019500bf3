// Control: a refusal of any attempt releases, 2302 of a second one too.
import { swapVerdict } from './swap.ts'

swapVerdict(new URL('./refusal-is-final.verdict.ts', import.meta.url).href)
