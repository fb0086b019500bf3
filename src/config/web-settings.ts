// Settings of requests over HTTP: the proxies through which they arrive, and the pages of other
// origins.
import { list, type Reader, SettingError } from './readers.ts'
import { setting } from './setting.ts'

/** Origins of web pages, as browsers send them (RFC 6454 section 6.2), or "*" for all. */
const origins: Reader<string[]> = (value, name) =>
  list(value, name).map((one) => {
    if (one === '*' || (URL.canParse(one) && isWebOrigin(one))) return one
    throw new SettingError(name, `must be like https://app.example, without a path, not "${one}"`)
  })

function isWebOrigin(text: string): boolean {
  const url = new URL(text)
  return /^https?:$/.test(url.protocol) && url.origin === text && !text.includes('*')
}

export function webSettings() {
  return {
    trusted_proxies: setting('TRUSTED_PROXIES', list, {
      preset: '',
      meaning: 'Addresses or CIDR ranges, with commas, whose X-Forwarded-For is trusted.',
    }),
    allowed_origins: setting('ALLOWED_ORIGINS', origins, {
      preset: '',
      meaning:
        'Origins of web pages, with commas, or "*" for all, that may call REST and MCP with a ' +
        'bearer token; never with a cookie.',
    }),
  }
}
