// A cookie's Expires by the service's clock: the library's would be counted from this machine's,
// and a browser drops a cookie that has ended.
import type { Provider } from 'oidc-provider'
import type { Clock } from '../../kit/clock.ts'

export function expireCookiesByClock(provider: Provider, clock: Clock): void {
  provider.use(async ({ cookies }, next) => {
    const set = cookies.set.bind(cookies)
    cookies.set = (name, value, options) => {
      const { maxAge, ...rest } = options ?? {}
      if (!maxAge) return set(name, value, options)
      return set(name, value, { ...rest, expires: new Date(clock.now().getTime() + maxAge) })
    }
    await next()
  })
}
