-- The reason for which a running job waits, such as a GPU that is not free. Without a value it goes on.
ALTER TABLE jobs ADD COLUMN waiting TEXT;
