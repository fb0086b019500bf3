// The handler of each order type, by the type of a stored order.
import { wordOf } from '../../../../kit/schema.ts'
import { type OrderType, orderTypes } from '../order.ts'
import type { OrderHandler } from './order-handler.ts'
import { registerHandler } from './register-order.ts'
import { renewHandler } from './renew-order.ts'
import { restoreHandler } from './restore-order.ts'
import { transferHandler } from './transfer-order.ts'

const handlers: Record<OrderType, OrderHandler> = {
  register: registerHandler,
  renew: renewHandler,
  transfer: transferHandler,
  restore: restoreHandler,
}

export function handlerOf(type: string): OrderHandler {
  return handlers[wordOf(orderTypes, type)]
}
