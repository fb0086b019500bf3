// <hello> (RFC 5730 section 2.3): asks for the greeting again; here, what keeps an idle session
// alive.
import { eppFrame } from './command.ts'

export const helloFrame = eppFrame('<hello/>')
