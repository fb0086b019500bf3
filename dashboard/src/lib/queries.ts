// The client of TanStack Query, for one log-in.
import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'
import { isRetryable } from './retries.ts'
import { isLoggedOut } from './session.ts'

const again_ms = 5_000

const isPassing = (error: unknown) => error instanceof ApiError && isRetryable(error.failure)

/** The polling interval while the service is away, for a query that is not polled otherwise. */
export function whileAway({ state }: Pick<Query<unknown>, 'state'>): number | false {
  return state.status === 'error' && isPassing(state.error) ? again_ms : false
}

/**
 * `onLoggedOut` is called when a request has found that the session has ended.
 *
 * The library would keep what is sent while the browser is offline, and send it when the connection
 * returns, though its dialog was cancelled long ago. So nothing waits for a connection: a change
 * fails at once, and a read is tried again (decision 98).
 */
export function openQueries(onLoggedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (isLoggedOut(error)) onLoggedOut()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 15_000,
        retry: (count, error) => count < 2 && isPassing(error),
        refetchInterval: whileAway,
        refetchOnReconnect: true,
      },
    },
  })
}
