// Control: an answer about any name is the answer.
import { swap } from './swap.ts'

swap('epp/replies/reply.ts', new URL('./any-name.identity.ts', import.meta.url).href)
