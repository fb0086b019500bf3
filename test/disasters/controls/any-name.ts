// Control: accepts an answer about any name.
import { swap } from './swap.ts'

swap('epp/replies/reply.ts', new URL('./any-name.identity.ts', import.meta.url).href)
