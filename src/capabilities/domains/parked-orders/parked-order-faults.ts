// Faults of operators' decisions about parked orders.

import Type from 'typebox'
import { fault } from '../../../kit/fault.ts'
import { nullable } from '../../../kit/schema.ts'
import { registryShows } from './parked-order-facts.ts'

export const orderNotFound = fault('order_not_found', 'absent', {
  sentence: 'There is no order with this id.',
  hint: 'GET /v1/internal/parked-orders?alarm=true lists the orders that need an operator.',
})
export const orderClosed = fault('order_closed', 'conflict', {
  sentence: 'The order has already ended.',
  hint: 'Its result is in "state", and there is nothing left to decide.',
  next: 'none',
  facts: { state: Type.String({ description: 'The state of the order.' }) },
})
export const orderNotParked = fault('order_not_parked', 'conflict', {
  sentence: 'The order is not parked: the service continues it automatically.',
  hint: 'Wait, or, if the order has an alarm, end it with "force": true.',
  facts: { state: Type.String({ description: 'The state of the order.' }) },
})
export const orderHeld = fault('order_held', 'conflict', {
  sentence: 'The order is being executed at this moment.',
  hint: 'Try again after Retry-After; read the list first.',
  next: 'wait_and_retry',
  retryable: true,
  facts: { state: Type.String({ description: 'The state of the order.' }) },
})
export const orderNotOurs = fault('order_not_ours', 'conflict', {
  sentence: 'The registry does not show the domain as ours, so there is nothing to charge for.',
  hint: 'Its state is in "registry_shows"; release the order, or correct it at the registry.',
  next: 'contact_support',
  facts: { registry_shows: registryShows },
})
export const orderNotAsBought = fault('order_not_as_bought', 'conflict', {
  sentence: 'The domain is ours, but does not match the order.',
  hint: 'If the customer is to pay nevertheless, send "force": true.',
  next: 'fix_request',
  facts: { registry_shows: registryShows },
})
export const orderAsBought = fault('order_as_bought', 'conflict', {
  sentence:
    'The registry shows that the order was done, or is being done: a release would give the ' +
    'domain away free of charge.',
  hint: 'Settle it; or send "force": true when something else explains it.',
  next: 'fix_request',
  facts: { registry_shows: registryShows },
})
export const orderWithoutHolding = fault('order_without_holding', 'conflict', {
  sentence: 'The order’s holding does not belong to this customer, or no longer does.',
  hint: 'Its holder is in "held_by"; release the order.',
  next: 'contact_support',
  facts: { held_by: nullable(Type.String({ description: 'The customer that holds it.' })) },
})
