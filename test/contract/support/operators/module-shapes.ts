// Shapes of modules whose examples have a file of their own.
import { customerToolShapes } from '../customer-tool/customer-tool-examples.ts'
import { eventShapes } from '../events/event-examples.ts'
import { supportShapes } from '../messages/support-examples.ts'
import { operatorShapes } from './operator-examples.ts'

export const moduleShapes = {
  ...customerToolShapes,
  ...eventShapes,
  ...supportShapes,
  ...operatorShapes,
}
