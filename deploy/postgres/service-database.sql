-- The bot has the database that the container makes; the service has one of its own.
create database gumshoe_service;
