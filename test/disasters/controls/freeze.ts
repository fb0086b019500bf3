// No protection out: the node stops in its tracks at its crash point (SIGSTOP) instead of dying, so
// that it can go on when its time is over.
import { swap } from './swap.ts'

swap('kit/crash.ts', new URL('./freeze.crash.ts', import.meta.url).href)
