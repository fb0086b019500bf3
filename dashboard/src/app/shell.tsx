// Shell of a logged-in user: sidebar, top bar, bottom bar on phones, and the page.
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { CustomerResponse } from 'sdk'
import { Route, Switch, useLocation } from 'wouter'
import { Icon } from '../components/icon.tsx'
import { PartPlace } from '../components/part-place.tsx'
import { PopupContainer } from '../components/popups/popups.tsx'
import { SharedConfirmation } from '../components/sign-in/confirm-owner.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { AccountContext } from '../lib/account.ts'
import { usePendingApprovals } from '../lib/limits/pending-approvals.ts'
import { earlyPart, lazyPart } from '../lib/parts/lazy-part.ts'
import { useRenewedPush } from '../lib/push/use-renewed-push.ts'
import { openQueries } from '../lib/queries.ts'
import { routes } from '../lib/routes.ts'
import { noteLoggedOut } from '../lib/session.ts'
import { useUnreadSupport } from '../lib/support/live-state.ts'
import { useHasMailbox } from '../lib/use-mailbox.ts'
import { common } from '../messages/common-texts.ts'
import NotFoundPage from '../pages/not-found.tsx'
import { AccountButton } from './account-button.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { BottomBar, Logo, Sidebar } from './nav.tsx'
import { pages, placesOf } from './pages.ts'
import { SkipLink, Toasts } from './shell-parts.tsx'
import './shell.css'

const CommandPalette = earlyPart(() => import('./command-palette.tsx'))
const TopUpDialog = earlyPart(() => import('./top-up-dialog.tsx'))
const SupportStream = lazyPart(() => import('./support-stream.tsx'))

export default function Shell({ account }: { account: CustomerResponse }) {
  const popups = useRef<HTMLDivElement>(null)
  return (
    <Providers account={account} popups={popups}>
      <Frame popups={popups} />
    </Providers>
  )
}

function Frame({ popups }: Pick<Around, 'popups'>) {
  useRenewedPush()
  const [popup, setPopup] = usePopup()
  const [path] = useLocation()
  const places = usePlaces()
  return (
    <>
      <SkipLink />
      <div className="flex min-h-[calc(100dvh-var(--band))]">
        <Sidebar places={places} />
        <div className="flex min-w-0 grow flex-col">
          <header className="sticky top-(--band) z-20 flex h-14 items-center gap-3 border-b border-line bg-canvas px-4 md:px-8">
            <span className="md:hidden">
              <Logo />
            </span>
            <SearchButton onClick={() => setPopup('palette')} />
            <AccountButton />
          </header>
          <main
            id="content"
            tabIndex={-1}
            className="mx-auto w-full max-w-6xl grow px-4 pt-6 pb-24 outline-none md:px-8 md:pt-8 md:pb-12"
          >
            <ErrorBoundary key={path}>
              <PartPlace isPage skeleton={<Skeleton lines={6} />}>
                <Switch>
                  {pages.map((page) => (
                    <Route key={page.path} path={page.path} component={page.component} />
                  ))}
                  <Route component={NotFoundPage} />
                </Switch>
              </PartPlace>
            </ErrorBoundary>
            <div ref={popups} />
            <PartPlace>
              <SupportStream />
            </PartPlace>
            <OpenPopup places={places} popup={popup} onChange={setPopup} />
            <SharedConfirmation />
            <Toasts />
          </main>
        </div>
      </div>
      <BottomBar places={places} />
    </>
  )
}

type Places = ReturnType<typeof placesOf>

/** The places of the navigation, each with the number of things that wait for the user there. */
function usePlaces(): Places {
  const counts: Readonly<Record<string, { count: number; counted: string }>> = {
    [routes.support]: { count: useUnreadSupport(), counted: common.unread },
    [routes.approvals]: { count: usePendingApprovals() ?? 0, counted: common.waiting },
  }
  return placesOf({ hasMailbox: useHasMailbox() }).map((place) => ({
    ...place,
    ...counts[place.path],
  }))
}

type Popup = 'palette' | 'top_up' | null

function usePopup() {
  const [popup, setPopup] = useState<Popup>(null)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setPopup((open) => (open === 'palette' ? null : 'palette'))
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  return [popup, setPopup] as const
}

type PopupProps = { places: Places; popup: Popup; onChange: (popup: Popup) => void }

function OpenPopup({ places, popup, onChange }: PopupProps) {
  const close = () => onChange(null)
  return (
    <PartPlace>
      {popup === 'palette' && (
        <CommandPalette places={places} onTopUp={() => onChange('top_up')} onClose={close} />
      )}
      {popup === 'top_up' && <TopUpDialog onClose={close} />}
    </PartPlace>
  )
}

type Around = {
  account: CustomerResponse
  popups: RefObject<HTMLDivElement | null>
  children: ReactNode
}

/** The queries belong to one account: a log-out ends them with the shell. */
function Providers({ account, popups, children }: Around) {
  const [queries] = useState(() => openQueries(noteLoggedOut))
  return (
    <QueryClientProvider client={queries}>
      <AccountContext value={account}>
        <CSPProvider disableStyleElements>
          <PopupContainer value={popups}>{children}</PopupContainer>
        </CSPProvider>
      </AccountContext>
    </QueryClientProvider>
  )
}

function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="flex h-9 min-w-0 grow items-center gap-2 rounded-md border border-line bg-surface px-3 text-muted shadow-card hover:border-edge sm:max-w-sm"
    >
      <Icon name="search" />
      <span className="grow truncate text-left">{common.search}</span>
      <kbd className="hidden rounded border border-line bg-sunken px-1.5 font-sans text-xs sm:block">
        Ctrl K
      </kbd>
    </button>
  )
}
