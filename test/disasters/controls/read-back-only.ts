// Control: silence is decided by one read; what is not there now was not bought.
import { swapVerdict } from './swap.ts'

swapVerdict(new URL('./read-back-only.verdict.ts', import.meta.url).href)
