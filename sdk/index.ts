// The package: a client with all operations, its errors, and the generated functions and types.
export {
  createRegistrarClient,
  createTransport,
  type RegistrarClient,
  type RegistrarOptions,
} from './client/client.ts'
export {
  ApprovalRequiredError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InsufficientFundsError,
  InvalidRequestError,
  type NextAction,
  NotFoundError,
  PaymentRequiredError,
  PermissionError,
  RateLimitError,
  RegistrarError,
  ServerError,
  TimeoutError,
  ValidationError,
} from './client/errors.ts'
export { paginate } from './client/paginate.ts'
export type { RetryOptions } from './client/retry.ts'
export type { WaitOptions } from './client/wait.ts'
export * from './src/index.ts'
