// No protection removed: the node stops at its crash point (SIGSTOP) instead of dying, so that it
// can continue after its lease has expired.
import { swap } from './swap.ts'

swap('kit/crash.ts', new URL('./freeze.crash.ts', import.meta.url).href)
