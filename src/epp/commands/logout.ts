// <logout> (RFC 5730 section 2.9.1.2): the server answers 1500 and closes.
import { type Command, commandFrame, nothing } from './command.ts'

export const logout: Command<null, null> = {
  name: 'logout',
  transforms: false,
  frame: (_input, cl_trid) => commandFrame(cl_trid, '<logout/>'),
  parse: nothing,
}
