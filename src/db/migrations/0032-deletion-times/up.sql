-- When the delete of a name that is in redemption or pendingDelete was sent; null: it is not.
alter table domains add column deleted_at timestamptz;

-- The best that is known of those that are: when we sent it, else when we first saw it.
update domains set deleted_at = coalesce(deletion_at, synced_at, updated_at)
  where ended_at is null
    and ('pendingDelete' = any (epp_statuses)
      or rgp_statuses && '{redemptionPeriod,pendingDelete,pendingRestore}');
